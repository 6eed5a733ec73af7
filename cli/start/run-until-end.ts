import { exitCodes } from '#cli/command/exit-codes.ts';

export type RunUntilEndDeps = {
  readonly printError: (text: string) => void;
  /** Sets the exit code of the process. */
  readonly exit: (code: number) => void;
};

export type LongRun = {
  /** Runs until Ctrl-C or its own end. Returns the exit code. */
  readonly run: () => Promise<number>;
  /** The message of an error that says what to do; undefined for any other error. */
  readonly expectedMessage: (error: unknown) => string | undefined;
};

/**
 * Runs what a developer keeps running. An error that says what to do is printed without a stack.
 *
 * @throws every other error
 */
export async function runUntilEnd(
  { run, expectedMessage }: LongRun,
  { printError, exit }: RunUntilEndDeps,
): Promise<void> {
  try {
    exit(await run());
  } catch (error) {
    const message = expectedMessage(error);
    if (message === undefined) throw error;
    printError(message);
    exit(exitCodes.failed);
  }
}
