type Spot = {
  /** How far down the page was, in pixels. */
  readonly top: number;
  /** The row that had the focus, by its address. */
  readonly row: string | undefined;
};

/** Where the page of each entry of the history was. */
const spots = new Map<string, Spot>();

/** The page that is not where it was yet. */
let restoring: { readonly entry: string; readonly end: () => void } | undefined;

/** In milliseconds: how long the content of a page may take until its place is given up. */
const patience = 2_000;

/** What a reader does who wants to be elsewhere. */
const readerEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Notes where the page of an entry is, which is about to be left. */
export function noteScroll(entry: string): void {
  // It is left before its content came.
  if (restoring?.entry === entry) {
    restoring.end();
    return;
  }
  const row = document.activeElement?.closest('[data-row]')?.getAttribute('href') ?? undefined;
  spots.set(entry, { top: scrollY, row });
}

/** Shows the page of an entry where it was, once its content is long enough: the browser itself tries before there is any. */
export function restoreScroll(entry: string): void {
  const { top, row } = spots.get(entry) ?? { top: 0, row: undefined };
  const until = performance.now() + patience;
  const ended = new AbortController();
  const { signal } = ended;
  const end = () => {
    restoring = undefined;
    ended.abort();
  };
  restoring = { entry, end };
  for (const name of readerEvents) addEventListener(name, end, { signal, passive: true, capture: true });
  function attempt(): void {
    if (signal.aborted) return;
    scrollTo(0, top);
    const isThere = Math.abs(scrollY - top) < 1;
    if (isThere && row !== undefined)
      document.querySelector<HTMLElement>(`[data-row][href="${CSS.escape(row)}"]`)?.focus({ preventScroll: true });
    if (isThere || performance.now() > until) end();
    else requestAnimationFrame(attempt);
  }
  requestAnimationFrame(attempt);
}
