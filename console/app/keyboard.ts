import { createSharedValue } from '#console/data/shared-value.ts';
import { destinations } from './destinations.ts';
import { navigate } from './router.ts';

export type KeyboardActions = {
  readonly showHelp: () => void;
  readonly focusSearch: () => void;
  readonly showPalette: () => void;
};

const stored = 'drawbridge-single-keys';

/** Whether single keys act. A user who dictates, or hits keys by mistake, can turn single keys off (WCAG 2.1.4). */
export const singleKeys = createSharedValue(localStorage.getItem(stored) !== 'off');

/** Turns the single keys on or off, now and the next time. */
export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(stored, isOn ? 'on' : 'off');
  singleKeys.set(isOn);
}

/** In milliseconds: between `g` and the letter of a page. */
const chordTime = 1_200;

/** Ctrl or ⌘ and K open the palette. Single keys act if they are on and no text is typed: `/` searches, `g` and a letter opens a page, `j` and `k` move along rows. */
export function followKeys({ showHelp, focusSearch, showPalette }: KeyboardActions): void {
  let chordUntil = 0;
  addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]') !== null) return;
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      showPalette();
    }
    if (!singleKeys.get() || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
    const destination = event.timeStamp < chordUntil ? destinations.find(({ key }) => key === event.key) : undefined;
    chordUntil = event.key === 'g' ? event.timeStamp + chordTime : 0;
    if (destination !== undefined) navigate(destination.path);
    else if (event.key === '/') focusSearch();
    else if (event.key === '?') showHelp();
    else if (event.key === 'j') moveAlongRows(1);
    else if (event.key === 'k') moveAlongRows(-1);
    else return;
    event.preventDefault();
  });
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Rows are links: Enter opens the one that has the focus. */
function moveAlongRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = document.activeElement instanceof HTMLElement ? rows.indexOf(document.activeElement) : -1;
  const next = current < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, current + step));
  rows[next]?.focus();
}
