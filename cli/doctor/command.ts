import { type Command, Option } from 'commander';
import * as z from 'zod';
import { appHelp } from '#cli/command/app-help.ts';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { once } from '#cli/command/once.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { checkClock } from './check-clock.ts';
import { checkQueues } from './check-queues.ts';
import { checkQuotas } from './check-quotas.ts';
import { checkSchedules } from './check-schedules.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkSubscribers } from './check-subscribers.ts';
import { checkWebhook, testEventType } from './check-webhook.ts';
import {
  checkAlarms,
  checkDeadLetters,
  checkOutage,
  checkQuarantine,
  checkRegistrations,
  checkToken,
  checkVersion,
} from './checks.ts';
import { type Finding, runChecks } from './findings.ts';
import { checkPlatform } from './platform/check-platform.ts';
import { readPlatformAccess } from './platform/platform-access.ts';
import { printFindings, printProfile } from './print-findings.ts';

const doctorOptions = z.object({
  webhook: z.boolean(),
  platform: z.boolean(),
  file: z.string().optional(),
  app: z.string().optional(),
});
const globalOptions = z.object({ env: z.string(), directory: z.string() });

const outageOfLaptop = 'drawbridge outage stop, if you began an outage. If not: npm start.';
const outageOnAws = 'Check your network and the domain of the API, and run drawbridge logs errors-by-function.';

/** Adds `doctor`: checks what an operator would check, each finding with its remedy. */
export function addDoctorCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('doctor')
    .description('Checks the deployment, and says what to do about each finding.')
    .option('--webhook', 'also deliver a test webhook, and wait until its event is stored', false)
    .addOption(
      new Option(
        '--platform',
        'probe the platform in place of the deployment, with no permission in AWS, and print the platformProfile that reads its answers',
      )
        .default(false)
        .conflicts('webhook'),
    )
    .option(
      '--file <path>',
      'with --platform: reads {"clientId", "clientSecret"} from a file, or from the standard input with -',
    )
    .option('--app <folder>', `with --platform: ${appHelp}`)
    .action(async (given: unknown) => {
      const { webhook, platform, file, app } = doctorOptions.parse(given);
      const { output, connect, confirm } = createContext(command, deps);
      if (!platform && (file ?? app) !== undefined)
        throw new CommandError('--file and --app go with --platform.', 'drawbridge doctor --platform');
      if (platform) {
        const { env, directory } = globalOptions.parse(command.optsWithGlobals());
        const access = await readPlatformAccess({ env, directory, app, file }, deps);
        const timeout = (milliseconds: number) => AbortSignal.timeout(milliseconds);
        const report = await checkPlatform(access, { ...deps, fetch: createPlatformFetch(), timeout });
        printFindings(report.findings, output);
        printProfile(report.platformProfile, output);
        exitAfter(report.findings, deps);
        return;
      }
      const deployment = await connect();
      if (webhook) await confirm(`deliver a webhook of the type ${testEventType}; its event stays in the event store`);
      const now = once(() => readClock(deployment, deps));
      const plan = once(() => deployment.invoke('Register', { mode: 'plan' }));
      const checks = {
        platform: async () => checkOutage(deployment, { now: await now(), plan }),
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
      printFindings(findings, output);
      exitAfter(findings, deps);
    });
  documentCommand(command, {
    examples: [
      'drawbridge doctor',
      'drawbridge doctor --env production --json',
      'drawbridge doctor --env production --webhook',
      'drawbridge doctor --env production --platform',
    ],
    json: 'one finding a line: `check`, `result` (`good`, `problem`, `unknown`), `detail`, `remedy`. With `--platform`, the last line is `platformProfile`',
    found: 'a check found a problem',
    failed: 'a check is unknown because it could not be done, and no check found a problem',
    writes: `nothing without \`--webhook\`. With it, delivers a webhook of the type \`${testEventType}\`, which speaks of no entity. The event stays in the event store as long as all events, and the bus gets \`EventReceived\` with its id`,
  });
}

/** An operator has more to do about a problem than about what is unknown. */
function exitAfter(findings: readonly Finding[], { exit }: CommandDeps): void {
  if (findings.some(({ result }) => result === 'problem')) exit(exitCodes.found);
  else if (findings.some(({ result }) => result === 'unknown')) exit(exitCodes.failed);
}
