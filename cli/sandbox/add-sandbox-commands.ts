import type { Command } from 'commander';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { addClockCommand } from './clock-command.ts';
import { addFaultCommand } from './fault-command.ts';
import { addFixtureCommand } from './fixture-command.ts';
import { addLogCommands } from './log-commands.ts';
import { addOutageCommand } from './outage-command.ts';
import { addPersonaCommand } from './persona-command.ts';
import { addProfileCommand } from './profile-command.ts';
import { addStateCommands } from './state-command.ts';
import { addTrafficCommand } from './traffic-command.ts';
import { addTriggerCommand } from './trigger-command.ts';

/** Adds the commands that act on the sandbox platform. They never act on a deployment. */
export function addSandboxCommands(program: Command, deps: CommandDeps): void {
  addTriggerCommand(program, deps);
  addPersonaCommand(program, deps);
  addClockCommand(program, deps);
  addFaultCommand(program, deps);
  addOutageCommand(program, deps);
  addProfileCommand(program, deps);
  addTrafficCommand(program, deps);
  addLogCommands(program, deps);
  addStateCommands(program, deps);
  addFixtureCommand(program, deps);
}
