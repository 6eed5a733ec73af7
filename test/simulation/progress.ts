const width = 30;

/** A bar, how many are done, and how quickly. @param seconds since the beginning */
export function formatProgress(done: number, all: number, seconds: number): string {
  const filled = Math.round((done / all) * width);
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${all} histories, ${rate} a second`;
}

export type ProgressDeps = {
  readonly isTTY: boolean;
  readonly write: (text: string) => void;
  /** In milliseconds, from any beginning. */
  readonly now: () => number;
};

/** In milliseconds. */
const minute = 60_000;

/** Shows how far it is: on a terminal in place of what was shown before, elsewhere in a line each minute. */
export function createProgress({ isTTY, write, now }: ProgressDeps): (text: string) => void {
  let shownAt = now();
  return (text) => {
    // To the end of the line: what was there may have been longer.
    if (isTTY) return write(`\r${text}\u001b[K`);
    if (now() - shownAt < minute) return;
    shownAt = now();
    write(`${text}\n`);
  };
}
