import { progress } from '@clack/prompts';

/** A bar on the terminal. */
export type Progress = {
  /** @param more what is done since the last call */
  readonly advance: (more: number) => void;
  readonly stop: (message: string) => void;
};

/** @param max what is to be done */
export type StartProgress = (message: string, max: number) => Progress;

/** Shows a bar on a terminal. */
export const startTerminalProgress: StartProgress = (message, max) => {
  const bar = progress({ max, output: process.stderr });
  bar.start(message);
  return { advance: (more) => bar.advance(more), stop: (last) => bar.stop(last) };
};

/** Shows lines if there is no terminal. */
export function createLineProgress(note: (text: string) => void): StartProgress {
  return (message, max) => {
    let done = 0;
    note(`${message} …`);
    return {
      stop: note,
      advance: (more) => {
        done += more;
        note(`  ${done} of ${max}`);
      },
    };
  };
}
