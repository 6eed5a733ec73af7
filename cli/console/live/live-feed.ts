import type { TailLine } from '#cli/tail/tail-line.ts';

/** A webhook or bus event with its number in this feed. */
export type LiveLine = TailLine & { readonly number: number };

/** Whether webhooks and bus events arrive here, and why not. */
export type LiveState = { readonly isWatching: boolean; readonly note: string | undefined };

export type LiveListener = {
  readonly onLine: (line: LiveLine) => void;
  readonly onState: (state: LiveState) => void;
};

/** What came since someone looked, for every browser window together. */
export type LiveFeed = {
  /** Hands over the lines after a number, then each new one. @returns what ends this */
  readonly subscribe: (after: number | undefined, listener: LiveListener) => () => void;
  /** Of the latest line, 0 before the first. */
  readonly lastNumber: () => number;
  readonly close: () => Promise<void>;
};

export type LiveFeedDeps = {
  /** Hands over lines until the signal aborts, or ends before if there is nothing to watch. @throws if the deployment cannot be watched now */
  readonly watch: (
    on: {
      readonly lines: (lines: readonly TailLine[]) => Promise<void>;
      readonly watching: () => void;
      readonly note: (text: string) => void;
    },
    stop: AbortSignal,
  ) => Promise<void>;
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** The lines that a window gets which connects again. */
const maxKept = 1_000;

/** In milliseconds: between two attempts to watch. */
const retryInterval = 3_000;

/** In milliseconds: a window that loads or connects again within this time misses nothing. */
const idleTime = 60_000;

/** Watches while a window listens: the rule and the queue on the bus exist no longer than that. */
export function createLiveFeed({ watch, wait }: LiveFeedDeps): LiveFeed {
  const kept: LiveLine[] = [];
  const listeners = new Set<LiveListener>();
  let last = 0;
  let state: LiveState = { isWatching: false, note: undefined };
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  let idle: AbortController | undefined;

  function setState(next: LiveState): void {
    state = next;
    for (const { onState } of listeners) onState(next);
  }

  async function onLines(lines: readonly TailLine[]): Promise<void> {
    for (const line of lines) {
      last += 1;
      const numbered = { ...line, number: last };
      kept.push(numbered);
      if (kept.length > maxKept) kept.shift();
      for (const { onLine } of listeners) onLine(numbered);
    }
  }

  async function run(stop: AbortSignal): Promise<void> {
    const on = {
      lines: onLines,
      watching: () => setState({ isWatching: true, note: undefined }),
      note: (note: string) => setState({ ...state, note }),
    };
    while (!stop.aborted) {
      try {
        await watch(on, stop);
        if (stop.aborted) return;
        setState({ ...state, isWatching: false });
        // The next window that opens tries once more.
        if (running?.stop.signal === stop) running = undefined;
        return;
      } catch (error) {
        setState({ isWatching: false, note: error instanceof Error ? error.message : String(error) });
      }
      await wait(retryInterval, stop);
    }
  }

  function start(): void {
    idle?.abort();
    if (running !== undefined) return;
    const stop = new AbortController();
    running = { stop, ended: run(stop.signal) };
  }

  async function end(): Promise<void> {
    const ending = running;
    running = undefined;
    ending?.stop.abort();
    state = { isWatching: false, note: undefined };
    await ending?.ended;
  }

  async function endWhenIdle(): Promise<void> {
    const waiting = new AbortController();
    idle = waiting;
    await wait(idleTime, waiting.signal);
    if (!waiting.signal.aborted && listeners.size === 0) await end();
  }

  return {
    subscribe: (after, listener) => {
      listeners.add(listener);
      start();
      listener.onState(state);
      if (after !== undefined) for (const line of kept) if (line.number > after) listener.onLine(line);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) endWhenIdle().catch(() => undefined);
      };
    },
    lastNumber: () => last,
    close: async () => {
      idle?.abort();
      await end();
    },
  };
}
