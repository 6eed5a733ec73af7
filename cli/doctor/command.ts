import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { checkAlarms } from './check-alarms.ts';
import { checkClock } from './check-clock.ts';
import { checkQueues } from './check-queues.ts';
import { checkQuotas } from './check-quotas.ts';
import { checkSchedules } from './check-schedules.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSubscribers } from './check-subscribers.ts';
import { checkWebhook, testEventType } from './check-webhook.ts';
import { checkDeadLetters, checkQuarantine, checkRegistrations, checkToken, checkVersion } from './checks.ts';
import { runChecks } from './findings.ts';
import { formatFindings } from './format-findings.ts';

const doctorOptions = z.object({ webhook: z.boolean() });

const outageOfLaptop = 'drawbridge outage stop, if you began an outage. If not: npm start.';
const outageOnAws = 'Check your network and the domain of the API, and run drawbridge logs errors-by-function.';

/** Adds `doctor`: checks what an operator would check, each finding with its remedy. */
export function addDoctorCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('doctor')
    .description('Checks the deployment, and says what to do about each finding.')
    .option('--webhook', 'also deliver a test webhook, and wait until its event is stored', false)
    .action(async (given: unknown) => {
      const { webhook } = doctorOptions.parse(given);
      const { output, connect, confirm } = createContext(command, deps);
      const deployment = await connect();
      if (webhook)
        await confirm(`deliver a webhook of the type ${testEventType}, whose event stays in the event store`);
      const now = once(() => readClock(deployment, deps));
      const plan = once(() => deployment.invoke('Register', { mode: 'plan' }));
      const checks = {
        version: () => checkVersion(deployment),
        secrets: () => checkSecrets(deployment, plan),
        token: async () => checkToken(deployment, await now()),
        registrations: () => checkRegistrations(plan),
        schedules: () => checkSchedules(deployment, deps),
        queues: async () => checkQueues(deployment, await now()),
        'dead letters': () => checkDeadLetters(deployment),
        quarantine: () => checkQuarantine(deployment),
        subscribers: () => checkSubscribers(deployment),
        alarms: () => checkAlarms(deployment),
        quotas: () => checkQuotas(deployment),
        clock: () => checkClock(deployment, deps),
        ...(webhook && { webhook: () => checkWebhook(deployment, deps) }),
      };
      const findings = await runChecks(checks, deployment.isLaptop ? outageOfLaptop : outageOnAws);
      output.list(findings, {
        head: ['check', 'result', 'detail', 'what to do'],
        row: ({ check, result, detail, remedy }) => [check, result, detail, remedy],
        onTerminal: formatFindings,
        none: 'Nothing was checked.',
      });
      if (findings.some(({ result }) => result === 'problem')) deps.exit(exitCodes.found);
      else if (findings.some(({ result }) => result === 'unknown')) deps.exit(exitCodes.failed);
    });
  documentCommand(command, {
    examples: [
      'drawbridge doctor',
      'drawbridge doctor --env production --json',
      'drawbridge doctor --env production --webhook',
    ],
    json: 'one finding a line: `check`, `result` (`good`, `problem`, `unknown`), `detail`, `remedy`',
    found: 'a check found a problem',
    failed: 'a check is unknown because it could not be done, and no check found a problem',
    writes: `nothing without \`--webhook\`. With it, delivers a webhook of the type \`${testEventType}\`, which speaks of no entity. The event stays in the event store as long as all events, and the bus gets \`EventReceived\` with its id`,
  });
}

/** Several checks use what is asked for once. */
function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let asked: Promise<Value> | undefined;
  return () => {
    asked ??= ask();
    return asked;
  };
}
