import { createStore, useStore } from '#console/data/store.ts';

/** Where the window is: path and query of the address. */
export type Place = { readonly path: string; readonly query: URLSearchParams };

const here = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

const place = createStore<Place>(here());

/** Goes to an address of the console. @param isReplacing whether Back leads past the present address */
export function navigate(address: string, isReplacing = false): void {
  if (isReplacing) history.replaceState(undefined, '', address);
  else history.pushState(undefined, '', address);
  place.set(here());
  if (!isReplacing) scrollTo(0, 0);
}

export function usePlace(): Place {
  return useStore(place);
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
  addEventListener('popstate', () => place.set(here()));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href], a[*|href]') : null;
    const href = link?.getAttribute('href') ?? link?.getAttribute('xlink:href');
    if (href === null || href === undefined || !href.startsWith('/')) return;
    event.preventDefault();
    navigate(href);
  });
}
