const width = 30;

/** A bar with the number of finished histories and the rate. @param seconds since the start */
export function formatProgress(done: number, all: number, seconds: number): string {
  const filled = Math.round((done / all) * width);
  const rate = seconds > 0 ? Math.round(done / seconds) : 0;
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${done} of ${all} histories, ${rate} per second`;
}

export type ProgressDeps = {
  readonly isTTY: boolean;
  readonly write: (text: string) => void;
  /** In milliseconds, from any start. */
  readonly now: () => number;
};

/** In milliseconds. */
const minute = 60_000;

/** Prints the progress: on a terminal in place of the previous text, elsewhere as one line per minute. */
export function createProgress({ isTTY, write, now }: ProgressDeps): (text: string) => void {
  let shownAt = now();
  return (text) => {
    // Clears the rest of the line: the previous text can be longer.
    if (isTTY) return write(`\r${text}\u001b[K`);
    if (now() - shownAt < minute) return;
    shownAt = now();
    write(`${text}\n`);
  };
}
