import type { Command } from 'commander';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { createBaseProgram } from './base-program.ts';
import type { CommandDeps } from './command/command-deps.ts';

type AddCommand = (program: Command, deps: CommandDeps) => unknown;

const loadEntity = (kind: EntityKind) => async (): Promise<AddCommand> => {
  const { addEntityCommand } = await import('./entities/command.ts');
  return (program, deps) => addEntityCommand(program, deps, kind);
};

/** What on-call staff runs most: each loads only its own part. The whole program takes longer to load. */
const loaders: Readonly<Record<string, () => Promise<AddCommand>>> = {
  status: async () => (await import('./status/command.ts')).addStatusCommand,
  doctor: async () => (await import('./doctor/command.ts')).addDoctorCommand,
  alarms: async () => (await import('./alarms/command.ts')).addAlarmsCommand,
  dlq: async () => (await import('./dlq/command.ts')).addDlqCommand,
  events: async () => (await import('./events/command.ts')).addEventsCommand,
  quarantine: async () => (await import('./quarantine/command.ts')).addQuarantineCommand,
  orders: loadEntity('order'),
  transfers: loadEntity('transfer'),
  persons: loadEntity('natural-person'),
  verifications: loadEntity('identification-verification'),
  onboardings: async () => (await import('./onboardings/command.ts')).addOnboardingsCommand,
  drain: async () => (await import('./drain/command.ts')).addDrainCommand,
  bus: async () => (await import('./bus/command.ts')).addBusCommand,
  tail: async () => (await import('./tail/command.ts')).addTailCommand,
  webhooks: async () => (await import('./webhooks/command.ts')).addWebhooksCommand,
  token: async () => (await import('./token/command.ts')).addTokenCommand,
  logs: async () => (await import('./logs/command.ts')).addLogsCommand,
  trigger: async () => (await import('./sandbox/trigger-command.ts')).addTriggerCommand,
};

/** The program that runs a command line: with that command only, or with all if the first word names none of the frequent ones. */
export async function loadProgram([first = '']: readonly string[], deps: CommandDeps): Promise<Command> {
  const load = Object.hasOwn(loaders, first) ? loaders[first] : undefined;
  if (load === undefined) return (await import('./program.ts')).createProgram(deps);
  const program = createBaseProgram(deps);
  (await load())(program, deps);
  return program;
}
