import type { RefObject } from 'preact';
import { useSharedValue } from '#console/data/shared-value.ts';
import { destinations } from './destinations.ts';
import { setSingleKeys, singleKeys } from './keyboard.ts';

const keys: readonly (readonly [key: string, what: string])[] = [
  ['/', 'search for an id'],
  ['Ctrl K', 'find a page or an action; on a Mac ⌘ K'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Esc', 'close a dialog, leave the search'],
  ['?', 'show the keys'],
];

/** The keys, and a button that turns those without Ctrl off or on. */
export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  const isOn = useSharedValue(singleKeys);
  const pages = destinations.map(({ key, title }) => [`g ${key}`, title] as const);
  return (
    <dialog ref={dialog} class="dialog" aria-label="Keys">
      <h2>Keys</h2>
      <dl class="keys">
        {[...keys, ...pages].map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <button type="button" class="button" onClick={() => setSingleKeys(!isOn)}>
          {isOn ? 'Turn single keys off' : 'Turn single keys on'}
        </button>
        <button type="button" class="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </footer>
    </dialog>
  );
}
