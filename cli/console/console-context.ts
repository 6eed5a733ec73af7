import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import type { TypedCommand } from '#cli/output/name-command.ts';
import type { ControlClient } from '#cli/sandbox/control-client.ts';
import type { GapReport } from '#shared/api/reconcile-answers.ts';

/** What the pages of the console read from and act on. */
export type ConsoleContext = {
  readonly deployment: Deployment;
  /** The control API of the sandbox platform; undefined on AWS. */
  readonly control: ControlClient | undefined;
  /** The reports of the runs that this console has started, which no other place keeps. The latest is the last. */
  readonly reports: GapReport[];
  /** Whether the console may write. */
  readonly isOperator: boolean;
  /** How the user types the commands that the pages show. */
  readonly typedCommand: TypedCommand;
  /** Of this machine: bodies of deleted dead letters are kept in a folder below, and exports in another. */
  readonly folder: string;
  readonly deps: Pick<CommandDeps, 'fetch' | 'now' | 'newId' | 'wait' | 'environment'>;
};
