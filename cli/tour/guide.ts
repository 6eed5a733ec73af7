import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { quote } from '#sandbox/terminal/quote.ts';
import { parseJson } from '#shared/parse-json.ts';

/** Runs a command line of `drawbridge` with these deps. @throws what the command throws */
export type RunCommand = (commandLine: readonly string[], deps: CommandDeps) => Promise<unknown>;

/** Shows a tour: each command is printed before its output. */
export type Guide = {
  /** Prints a command, runs it, and prints its output. @returns the output */
  readonly show: (...commandLine: readonly string[]) => Promise<string>;
  /** Repeats a command until its output has this text, and prints the command and the last output. */
  readonly showUntil: (text: string, ...commandLine: readonly string[]) => Promise<string>;
  /** Prints a command that watches something, and starts it. Resolves when it watches. */
  readonly startWatching: (...commandLine: readonly string[]) => Promise<Watching>;
  /** The answer of a command that lists, each item as JSON, without printing anything. */
  readonly list: (...commandLine: readonly string[]) => Promise<readonly unknown[]>;
  /** The answer of any other command as JSON, without printing anything. */
  readonly ask: (...commandLine: readonly string[]) => Promise<unknown>;
};

export type Watching = {
  /** Prints what the command has printed, when it has ended. */
  readonly end: () => Promise<void>;
};

export type GuideDeps = {
  readonly run: RunCommand;
  readonly deps: CommandDeps;
  readonly print: (text: string) => void;
};

/** In milliseconds: between two runs of a repeated command, and the most that a repetition lasts. */
const interval = 300;
const maxRepetition = 60_000;

export function createGuide({ run, deps, print }: GuideDeps): Guide {
  /** @throws {CommandError} if the command could not be done */
  async function perform(commandLine: readonly string[], onNote: () => void = () => undefined): Promise<string> {
    let stdout = '';
    let code: number = exitCodes.good;
    await run(commandLine, {
      ...deps,
      stdout: (text) => {
        stdout += text;
      },
      stderr: onNote,
      exit: (given) => {
        code = given;
      },
    });
    if (code === exitCodes.failed)
      throw new CommandError(`The tour ended: drawbridge ${commandLine.join(' ')} failed.`, 'drawbridge doctor');
    return stdout;
  }

  const printCommand = (commandLine: readonly string[]) => print(`$ drawbridge ${commandLine.map(quote).join(' ')}`);
  const printOutput = (output: string) => print(`${output.trimEnd()}\n`);

  async function repeat(text: string, commandLine: readonly string[]): Promise<string> {
    for (let waited = 0; waited < maxRepetition; waited += interval) {
      const output = await perform(commandLine).catch((error: unknown) => {
        if (error instanceof CommandError) return '';
        throw error;
      });
      if (output.includes(text)) return output;
      await deps.wait(interval);
    }
    throw new CommandError(
      `The tour ended: drawbridge ${commandLine.join(' ')} did not show ${text} within a minute.`,
      'drawbridge doctor',
    );
  }

  return {
    show: async (...commandLine) => {
      printCommand(commandLine);
      const output = await perform(commandLine);
      printOutput(output);
      return output;
    },
    showUntil: async (text, ...commandLine) => {
      printCommand(commandLine);
      const output = await repeat(text, commandLine);
      printOutput(output);
      return output;
    },
    startWatching: async (...commandLine) => {
      printCommand(commandLine);
      const { promise: watches, resolve } = Promise.withResolvers<void>();
      const ended = perform(commandLine, resolve);
      await Promise.race([watches, ended]);
      return { end: async () => printOutput(await ended) };
    },
    list: async (...commandLine) => {
      const lines = (await perform([...commandLine, '--json'])).split('\n');
      return lines.filter((line) => line !== '').map(parseJson);
    },
    ask: async (...commandLine) => parseJson(await perform([...commandLine, '--json'])),
  };
}
