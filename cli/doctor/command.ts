import type { Command } from 'commander';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { checkAlarms, checkClock, checkToken } from './aws-checks.ts';
import { checkDeadLetters, checkQuarantine, checkRegistrations, checkVersion } from './checks.ts';
import { runChecks } from './findings.ts';

/** Adds `doctor`: checks what an operator would check, each finding with its remedy. */
export function addDoctorCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('doctor')
    .description('Checks the deployment, and says what to do about each finding.')
    .action(async () => {
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const findings = await runChecks({
        version: () => checkVersion(deployment),
        token: () => checkToken(deployment),
        registrations: () => checkRegistrations(deployment),
        'dead letters': () => checkDeadLetters(deployment),
        quarantine: () => checkQuarantine(deployment),
        alarms: () => checkAlarms(deployment),
        // The clock of the laptop may have been moved.
        ...(!deployment.isLaptop && { clock: () => checkClock(deployment, deps) }),
      });
      output.list(findings, {
        head: ['check', 'result', 'detail', 'what to do'],
        row: ({ check, result, detail, remedy }) => [check, result, detail, remedy],
        none: 'Nothing was checked.',
      });
      if (findings.some(({ result }) => result === 'problem')) deps.exit(exitCodes.found);
      else if (findings.some(({ result }) => result === 'unknown')) deps.exit(exitCodes.failed);
    });
  documentCommand(command, {
    examples: ['drawbridge doctor', 'drawbridge doctor --env production --json'],
    json: 'one finding a line: `check`, `result` (`good`, `problem`, `unknown`), `detail`, `remedy`',
    found: 'a check found a problem',
  });
}
