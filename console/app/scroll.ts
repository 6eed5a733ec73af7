/** How far down a page was, in pixels, by the entry of the history. */
const places = new Map<string, number>();

/** In milliseconds: how long the content of a page may take until its place is given up. */
const patience = 2_000;

/** What a reader does who wants to be elsewhere. */
const readerEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Notes how far down the page of an entry is, which is about to be left. */
export function noteScroll(entry: string): void {
  places.set(entry, scrollY);
}

/** Shows the page of an entry where it was, once its content is long enough: the browser itself tries before there is any. */
export function restoreScroll(entry: string): void {
  const target = places.get(entry) ?? 0;
  const until = performance.now() + patience;
  const taken = new AbortController();
  for (const name of readerEvents)
    addEventListener(name, () => taken.abort(), { signal: taken.signal, passive: true, capture: true });
  addEventListener('popstate', () => taken.abort(), { signal: taken.signal, capture: true });
  function attempt(): void {
    if (taken.signal.aborted) return;
    scrollTo(0, target);
    if (Math.abs(scrollY - target) < 1 || performance.now() > until) taken.abort();
    else requestAnimationFrame(attempt);
  }
  requestAnimationFrame(attempt);
}
