import type { Journal } from '#shared/aws/checkpoint.ts';

/** A journal that not every page is written to. */
export type PacedJournal<Progress> = Journal<Progress> & {
  /**
   * Takes progress that another run may repeat: it is written once ten seconds have passed since the last write.
   *
   * @throws {CheckpointConflictError} when another run has saved since
   */
  readonly keep: (progress: Progress) => Promise<void>;
  /** Writes what is kept and not written yet. */
  readonly flush: () => Promise<void>;
};

/** In milliseconds. */
const writeEvery = 10_000;

/** Writes progress every ten seconds: a write for each page would cost more than the pages. */
export function paceJournal<Progress>(journal: Journal<Progress>, now: () => Date): PacedJournal<Progress> {
  let progress = journal.progress;
  let isWritten = true;
  let writtenAt = now().getTime();
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    isWritten = true;
    writtenAt = now().getTime();
    await journal.save(progress);
  }

  function save(next: Progress): Promise<void> {
    progress = next;
    writing = write();
    return writing;
  }

  return {
    get progress() {
      return progress;
    },
    save,
    keep: async (next) => {
      progress = next;
      isWritten = false;
      if (now().getTime() - writtenAt >= writeEvery) await save(next);
    },
    flush: async () => {
      // A run that is stopped leaves the write that it waits for.
      await writing;
      if (!isWritten) await save(progress);
    },
  };
}
