import { createSharedValue, useSharedValue } from '#console/data/shared-value.ts';
import { noteScroll, restoreScroll } from './scroll.ts';

/** Where the window is: path and query of the address. */
export type Place = {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The entry of the history: each visit of an address is another one, and Back leads to the same one again. */
  readonly entry: string;
};

/** The entry is in the state of the history, which any page of this origin could have written. */
function here(): Place {
  const state: unknown = history.state;
  const entry = typeof state === 'string' ? state : '';
  return { path: location.pathname, query: new URLSearchParams(location.search), entry };
}

const place = createSharedValue<Place>(here());

/** Goes to an address of the console. @param isReplacing whether Back leads past the present address */
export function navigate(address: string, isReplacing = false): void {
  noteScroll(place.get().entry);
  const entry = newEntry();
  if (isReplacing) history.replaceState(entry, '', address);
  else history.pushState(entry, '', address);
  place.set(here());
  if (!isReplacing) scrollTo(0, 0);
}

/** As a page that is loaded again has nothing of the one before, its entries have other names. */
let entries = 0;
const loadedAt = Date.now();

function newEntry(): string {
  entries += 1;
  return `${loadedAt}-${entries}`;
}

export function usePlace(): Place {
  return useSharedValue(place);
}

/** The address of this path with some parameters; those that are empty are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(name, value);
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Follows Back and Forward, and the links of the pages without loading the page again. */
export function followAddresses(): void {
  history.scrollRestoration = 'manual';
  history.replaceState(newEntry(), '');
  place.set(here());
  addEventListener('popstate', () => {
    const { path, query, entry } = place.get();
    noteScroll(entry);
    // A link within the page makes an entry without a name, which shows the same.
    if (here().entry === '') {
      const isSame = location.pathname === path && new URLSearchParams(location.search).toString() === query.toString();
      history.replaceState(isSame ? entry : newEntry(), '');
      if (isSame) return;
    }
    place.set(here());
    restoreScroll(place.get().entry);
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href], a[*|href]') : null;
    const href = link?.getAttribute('href') ?? link?.getAttribute('xlink:href');
    if (href === null || href === undefined || !href.startsWith('/')) return;
    event.preventDefault();
    navigate(href);
  });
}
