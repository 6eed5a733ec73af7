import type { Command } from 'commander';

/** What the help and the generated reference say about a command beside its options. */
export type CommandDocument = {
  /** Whole command lines, without comments. */
  readonly examples: readonly [string, ...string[]];
  /** What `--json` prints. */
  readonly json: string;
  /** When the exit code is 1. Without it, the command never exits with 1. */
  readonly found?: string;
  /** When the exit code is 2, beside what every command has in common. */
  readonly failed?: string;
  /** What a command changes, and so asks about. Without it, the command only reads. */
  readonly writes?: string;
};

const documents = new WeakMap<Command, CommandDocument>();

/** Adds the examples to the help of a command, and keeps what the reference page needs. */
export function documentCommand(command: Command, document: CommandDocument): Command {
  documents.set(command, document);
  const examples = document.examples.map((example) => `  ${example}`).join('\n');
  return command.addHelpText('after', `\nExamples:\n${examples}`);
}

/** Undefined for a command that only groups others. */
export function documentOf(command: Command): CommandDocument | undefined {
  return documents.get(command);
}
