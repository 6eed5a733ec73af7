import type { Command } from 'commander';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { addAlarmsCommand } from './alarms/command.ts';
import { addAuditCommand } from './audit/command.ts';
import { createBaseProgram } from './base-program.ts';
import { addBusCommand } from './bus/command.ts';
import type { CommandDeps } from './command/command-deps.ts';
import { addCompletionCommand } from './completion/command.ts';
import { addConsoleCommand } from './console/command.ts';
import { addCopyRowsCommand } from './copy-rows/command.ts';
import { addCostCommand } from './cost/command.ts';
import { addCredentialsCommand } from './credentials/command.ts';
import { addDlqCommand } from './dlq/command.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addDrainCommand } from './drain/command.ts';
import { addEntityCommand } from './entities/command.ts';
import { addEventsCommand } from './events/command.ts';
import { addInitCommand } from './init/command.ts';
import { addListenCommand } from './listen/command.ts';
import { addLogsCommand } from './logs/command.ts';
import { addOnboardingsCommand } from './onboardings/command.ts';
import { addPlatformCommand } from './platform/command.ts';
import { addPolicyCommand } from './policy/command.ts';
import { addQuarantineCommand } from './quarantine/command.ts';
import { addReconcileCommand } from './reconcile/command.ts';
import { addClockCommand } from './sandbox/clock-command.ts';
import { addFaultCommand } from './sandbox/fault-command.ts';
import { addFixtureCommand } from './sandbox/fixture-command.ts';
import { addLogCommands } from './sandbox/log-commands.ts';
import { addOutageCommand } from './sandbox/outage-command.ts';
import { addPersonaCommand } from './sandbox/persona-command.ts';
import { addProfileCommand } from './sandbox/profile-command.ts';
import { addStateCommands } from './sandbox/state-command.ts';
import { addTrafficCommand } from './sandbox/traffic-command.ts';
import { addTriggerCommand } from './sandbox/trigger-command.ts';
import { addSettingsCommand } from './settings/command.ts';
import { addStartCommand } from './start/command.ts';
import { addStatusCommand } from './status/command.ts';
import { addTailCommand } from './tail/command.ts';
import { addTokenCommand } from './token/command.ts';
import { addTourCommand } from './tour/command.ts';
import { addUpgradeCommand } from './upgrade/command.ts';
import { addWebhooksCommand } from './webhooks/command.ts';

/** The `drawbridge` command: the same commands for the stacks on this machine and for a deployment. */
export function createProgram(deps: CommandDeps): Command {
  const program = createBaseProgram(deps);
  program.commandsGroup('Begin on this machine:');
  addInitCommand(program, deps);
  addStartCommand(program, deps);
  addPlatformCommand(program, deps);
  addTourCommand(program, deps, (commandLine, own) =>
    createProgram(own).parseAsync([...commandLine], { from: 'user' }),
  );
  program.commandsGroup('Operate a deployment, or this machine:');
  addStatusCommand(program, deps);
  addDoctorCommand(program, deps);
  addAlarmsCommand(program, deps);
  addUpgradeCommand(program, deps);
  addEventsCommand(program, deps);
  addQuarantineCommand(program, deps);
  addDlqCommand(program, deps);
  for (const kind of entityKinds) addEntityCommand(program, deps, kind);
  addOnboardingsCommand(program, deps);
  addWebhooksCommand(program, deps);
  addDrainCommand(program, deps);
  addTokenCommand(program, deps);
  addCredentialsCommand(program, deps);
  addTailCommand(program, deps);
  addListenCommand(program, deps);
  addBusCommand(program, deps);
  addReconcileCommand(program, deps);
  addConsoleCommand(program, deps);
  addCopyRowsCommand(program, deps);
  addLogsCommand(program, deps);
  addAuditCommand(program, deps);
  addSettingsCommand(program, deps);
  addCostCommand(program, deps);
  addPolicyCommand(program, deps);
  program.commandsGroup('Control the sandbox platform of this machine:');
  addSandboxCommands(program, deps);
  program.commandsGroup('Use the command line:');
  addCompletionCommand(program, deps);
  program.helpCommand('help [command]', 'display help for a command');
  return program;
}

/** Adds the commands that act on the sandbox platform. They never act on a deployment. */
function addSandboxCommands(program: Command, deps: CommandDeps): void {
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
