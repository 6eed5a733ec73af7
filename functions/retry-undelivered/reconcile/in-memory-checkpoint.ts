import type { Journal } from '#shared/aws/checkpoint.ts';

/** What a checkpoint is to a run that is to write nothing. */
export function keepInMemory<Progress>(first: Progress): Journal<Progress> {
  let progress = first;
  return {
    get progress() {
      return progress;
    },
    save: async (next) => {
      progress = next;
    },
  };
}
