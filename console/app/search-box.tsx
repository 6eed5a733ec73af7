import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { addressOf, navigate } from './router.ts';

/** Finds an event, an entity or an onboarding by its id. */
export function SearchBox({ input }: { readonly input: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('');
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') navigate(addressOf('/search', { id: text.trim() }));
          input.current?.blur();
        }}
      >
        <input
          ref={input}
          type="search"
          value={text}
          placeholder="Search an id: event, order, person, externalId"
          aria-label="Search an id"
          spellcheck={false}
          autocomplete="off"
          // What was searched before is still there, and the next id replaces it.
          onFocus={(event) => event.currentTarget.select()}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </form>
    </search>
  );
}
