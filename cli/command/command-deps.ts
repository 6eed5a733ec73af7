import type { AskYesNo } from '#cli/confirm/confirm.ts';
import type { Style } from '#cli/output/output.ts';
import type { StartProgress } from '#cli/output/progress.ts';

/** What the commands need of the process. Tests pass their own. */
export type CommandDeps = {
  /** Takes the answer of a command, its line ends included. */
  readonly stdout: (text: string) => void;
  /** Takes a text with control sequences, all of which are Drawbridge's own; `stdout` unless given. */
  readonly moveCursor?: (text: string) => void;
  /** Colours a text for `stdout`, if its reader wants colours: `styleText`. */
  readonly style?: Style | undefined;
  /** Takes progress, questions and warnings, so that a pipe gets only the answer. */
  readonly stderr: (text: string) => void;
  /** The width in characters of the terminal that shows what `stdout` gets; undefined if no terminal does. */
  readonly terminalWidth: () => number | undefined;
  /** Sets the exit code of the process. */
  readonly exit: (code: number) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The operating system. */
  readonly platform: NodeJS.Platform;
  /** What the user types to run this program, if that is not `drawbridge`: the commands in texts begin with it. */
  readonly commandName?: string | undefined;
  /** Where `npm start` writes `endpoints.json`, unless the user names another directory. */
  readonly defaultDirectory: string;
  /** Undefined if no user can answer, such as in a script. */
  readonly askYesNo: AskYesNo | undefined;
  /** Asks whether to continue; Enter means yes; undefined if no user can answer. */
  readonly askToContinue: AskYesNo | undefined;
  /** Asks for a text without showing it; undefined if no user can answer. */
  readonly askSecret: ((question: string) => Promise<string | undefined>) | undefined;
  readonly startProgress: StartProgress;
  /** Reads a file that the user names; `-` is the standard input. @throws */
  readonly readFile: (path: string) => string;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** A short id that no other run has. */
  readonly newId: () => string;
  /** Resolves after this many milliseconds, or when the signal aborts. */
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** The lines that the user types, until the signal aborts. None if no user types. */
  readonly readLines: (signal: AbortSignal) => AsyncIterable<string>;
  /** A signal that aborts when the user presses Ctrl-C, for a command that ends itself then. Without it, Ctrl-C ends the process. */
  readonly untilInterrupted: () => AbortSignal;
};
