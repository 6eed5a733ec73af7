import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { destinationsOf } from './destinations.ts';
import { findCommands, type PaletteCommand } from './palette-commands.ts';
import { addressOf, navigate } from './router.ts';
import { setTheme, themes } from './theme.ts';

export type PaletteProps = {
  readonly dialog: RefObject<HTMLDialogElement | null>;
  readonly showHelp: () => void;
};

/** The buttons of the page. Those of a row say nothing without the row. */
function commandsOfPage(): readonly PaletteCommand[] {
  const buttons = document.querySelectorAll<HTMLElement>('#main :is(button, a).button:not(:disabled)');
  return [...buttons]
    .filter((button) => button.closest('table, dialog') === null)
    .map((button) => ({
      title: button.textContent?.trim() ?? '',
      hint: 'on this page',
      run: () => {
        button.focus();
        button.click();
      },
    }));
}

function commandsOfConsole(isLaptop: boolean, showHelp: () => void): readonly PaletteCommand[] {
  return [
    ...destinationsOf(isLaptop).map(({ title, path, key }) => ({ title, hint: `g ${key}`, run: () => navigate(path) })),
    { title: 'Start an onboarding', hint: 'page', run: () => navigate('/onboardings/new') },
    {
      title: 'Onboardings over their deadline',
      hint: 'page',
      run: () => navigate(addressOf('/onboardings', { stalled: 'yes' })),
    },
    {
      title: 'Events in quarantine',
      hint: 'page',
      run: () => navigate(addressOf('/events', { quarantineReason: 'ANY' })),
    },
    { title: 'Replay bus events to a subscriber', hint: 'page', run: () => navigate('/bus') },
    ...themes.map((theme) => ({ title: `Theme: ${theme}`, hint: 'setting', run: () => setTheme(theme) })),
    { title: 'Show the keys', hint: '?', run: showHelp },
  ];
}

/** Opens a page or presses a button by a part of its name. */
export function Palette({ dialog, showHelp }: PaletteProps) {
  const isLaptop = useSharedValue(session)?.isLaptop === true;
  const [text, setText] = useState('');
  const [, setOpenings] = useState(0);
  // Read when the list is drawn: the event of the opening can come after the first key.
  const ofPage = dialog.current?.open === true ? commandsOfPage() : [];
  const search = {
    title: `Search the id ${text.trim()}`,
    hint: 'search',
    run: () => navigate(addressOf('/search', { id: text.trim() })),
  };
  const found = [
    ...findCommands([...ofPage, ...commandsOfConsole(isLaptop, showHelp)], text),
    ...(text.trim() === '' ? [] : [search]),
  ];
  const start = (command: PaletteCommand | undefined) => {
    dialog.current?.close();
    command?.run();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Pages and actions"
      onKeyDown={(event) => {
        const step = steps[event.key];
        if (step === undefined) return;
        moveFocus(event.currentTarget, step);
        event.preventDefault();
      }}
      onToggle={({ newState }) => {
        if (newState === 'open') setOpenings((before) => before + 1);
      }}
      onClose={() => setText('')}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          start(found[0]);
        }}
      >
        <input
          aria-label="Page, action, or id"
          placeholder="Page, action, or id"
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <ul>
        {found.map((command, index) => (
          <li key={`${command.title} ${index}`}>
            <button type="button" onClick={() => start(command)}>
              {command.title}
              <span class="none">{command.hint}</span>
            </button>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/** From the text to the commands, and back. Enter in the text starts the first command, so that Down goes on with the second. */
function moveFocus(dialog: HTMLElement, step: 1 | -1): void {
  const [input, , ...rest] = dialog.querySelectorAll<HTMLElement>('input, li button');
  const stops = [...(input === undefined ? [] : [input]), ...rest];
  const at = document.activeElement instanceof HTMLElement ? stops.indexOf(document.activeElement) : -1;
  stops[(at + step + stops.length) % stops.length]?.focus();
}
