/** `npm run scenario`: what Drawbridge withstands, shown on the hosted stacks with the sandbox platform. */
import { dirname, join, relative, resolve } from 'node:path';
import { Option, program } from 'commander';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { count, interruptedCode, interruption, requireNode24 } from '#sandbox/command-line.ts';
import { DirectoryLockedError } from '#sandbox/directory-lock.ts';
import type { SettingsChange } from '#sandbox/platform/core/settings.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts';
import { formatTable } from '#sandbox/table.ts';
import { runBacklog } from './backlog.ts';
import { type Check, formatChecks } from './checks.ts';
import { unknownEventType } from './notifications.ts';
import { runOnboarding } from './onboarding.ts';
import { appointRepresentative, requestorKinds } from './onboarding-requestor.ts';
import { createLiveTable } from './onboarding-table.ts';
import { createOnboardingWatch } from './onboarding-watch.ts';
import { runOutage } from './outage.ts';
import { watchChanges } from './published-changes.ts';
import { type CanarySearch, createCanarySearch } from './search-canaries.ts';
import { runTrading } from './trading.ts';

const root = dirname(dirname(import.meta.dirname));

/** In seconds: a message that failed comes back at once, as far as a scenario is concerned. */
const redeliveryDelay = 1;

/** Where no canary may be; the webhooks queue takes the bodies of webhooks as they are. */
const everywhere = ['log', 'bus', 'queue', 'dead letter'] as const;

type OnCall = (request: Request) => Promise<void> | void;
type Run = (sandbox: Sandbox, watch: (onCall: OnCall) => void) => Promise<readonly Check[]>;

const order = new Option('--order <order>', 'the order of the undelivered list').choices([
  'ascending',
  'descending',
  'shuffled',
]);
const cursor = new Option('--cursor <kind>', 'how a cursor of that list leads on').choices([
  'keyset',
  'offset',
  'snapshot',
]);
const directory = new Option('--directory <path>', 'where it writes what it needs and what it tells');
const requestor = new Option(
  '--requestor <kind>',
  'who asks for a person: itself, or a configured one with a proxy for each',
).choices(requestorKinds);
const pageSize = new Option('--page-size <number>', 'how many undelivered webhooks the drain asks for at once');

const setup = z.object({
  order: z.string().toUpperCase(),
  cursor: z.string().toUpperCase(),
  directory: z.string(),
  pageSize: z.number(),
});
const outageOptions = z.object({ webhooks: z.number(), seed: z.number() });
const tradingOptions = z.object({ orders: z.number(), transfers: z.number(), seed: z.number() });
const onboardingOptions = z.object({ persons: z.number(), seed: z.number(), requestor: z.enum(requestorKinds) });
const backlogOptions = z.object({ records: z.number() });

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function addScenario(name: string, description: string) {
  return program
    .command(name)
    .description(description)
    .addOption(order.default('ascending'))
    .addOption(cursor.default('keyset'))
    .addOption(pageSize.argParser(count).default(500))
    .addOption(directory.default(join(root, '.sandbox')));
}

program.name('npm run scenario --').description('Shows what Drawbridge withstands. Exit code 1 if a check fails.');

addScenario('outage', 'The endpoint is down for a day while webhooks fire; then the drain fetches them.')
  .option('--webhooks <number>', 'how many fire meanwhile', count, 5_000)
  .option('--seed <number>', 'what decides on the webhooks and their order', count, 1)
  .action((options: unknown) => {
    const chosen = outageOptions.parse(options);
    return exitWith({ options, canarySearch: createCanarySearch(everywhere) }, (sandbox, watch) =>
      runOutage({ sandbox, watch, onStep: print, ...chosen }),
    );
  });

addScenario('backlog', 'The drain fetches a long list of undelivered webhooks, in the memory of a short one.')
  .option('--records <number>', 'how many are undelivered', count, 100_000)
  .action((options: unknown) => {
    const { records } = backlogOptions.parse(options);
    print('What the drain hands over stays in the queue: only the drain is measured.');
    const onAwsCall = (moment: AwsCallMoment) => (isStoresPoll(moment) ? never : undefined);
    // The drain publishes nothing. To the queue it hands ids, and no bodies.
    const canarySearch = createCanarySearch(['log', 'queue', 'webhooks queue', 'dead letter']);
    return exitWith({ options, onAwsCall, canarySearch }, async (sandbox) => {
      const { measurements, checks } = await runBacklog({ sandbox, records, onStep: print });
      const rows = measurements.map((one) => [one.records, one.runs, one.seconds, one.longestRun, one.mebibytes]);
      print(`\n${formatTable(['records', 'runs', 'seconds', 'longest run, s', 'resident MiB, at most'], rows)}`);
      return checks;
    });
  });

addScenario('trading', 'Orders and transfers live their lives while webhooks come twice, late and in any order.')
  .option('--orders <number>', 'how many are placed', count, 500)
  .option('--transfers <number>', 'how many are made', count, 300)
  .option('--seed <number>', 'what decides on what becomes of them', count, 1)
  .action((options: unknown) => {
    const chosen = tradingOptions.parse(options);
    const { onAwsCall, changes } = watchChanges();
    return exitWith({ options, onAwsCall, canarySearch: createCanarySearch(everywhere) }, (sandbox) =>
      runTrading({ sandbox, changes, onStep: print, ...chosen }),
    );
  });

addScenario('onboarding', 'Persons are onboarded side by side while answers, webhooks and functions get lost.')
  .option('--persons <number>', 'how many are onboarded', count, 200)
  .option('--seed <number>', 'what decides on what becomes of them, and on what goes wrong', count, 1)
  .addOption(requestor.default('self'))
  .action((options: unknown) => {
    const { persons, seed, requestor: kind } = onboardingOptions.parse(options);
    const watch = createOnboardingWatch(seed);
    const { show, leave } = createLiveTable({
      isTTY: process.stdout.isTTY,
      write: (text) => process.stdout.write(text),
    });
    const onStep = (step: string) => {
      leave();
      print(step);
    };
    const onboarding = kind === 'proxy' ? appointRepresentative : undefined;
    return exitWith({ options, onAwsCall: watch.onAwsCall, seed, onboarding, canarySearch: 'its own' }, (sandbox) =>
      runOnboarding({ sandbox, watch, persons, seed, onStep, onRound: show }),
    );
  });

const never = new Promise<void>(() => undefined);
/** Not its dead-letter queue, into which a scenario looks. */
const receive = z.object({ QueueUrl: z.string().regex(/-webhooks$/) });

function isStoresPoll({ operation, input }: AwsCallMoment): boolean {
  return operation === 'ReceiveMessage' && receive.safeParse(input()).success;
}

type Setup = {
  readonly options: unknown;
  readonly onAwsCall?: SandboxOptions['onAwsCall'];
  /** Looks for canaries, unless the scenario does so itself. */
  readonly canarySearch: CanarySearch | 'its own';
  /** Of the platform. */
  readonly seed?: number;
  readonly onboarding?: SandboxOptions['onboarding'];
};

async function exitWith(chosen: Setup, run: Run): Promise<void> {
  requireNode24();
  process.exit(await perform(chosen, run));
}

/** The exit code. */
async function perform(
  { options, onAwsCall = () => undefined, canarySearch, seed = 1, onboarding }: Setup,
  run: Run,
): Promise<number> {
  const { order: undeliveredOrder, cursor: undeliveredCursor, pageSize: size, ...chosen } = setup.parse(options);
  const settings: SettingsChange = { undeliveredOrder, undeliveredCursor };
  let onCall: OnCall = () => undefined;
  const startedAt = Date.now();
  const sandbox = await startSandbox({
    root,
    directory: resolve(chosen.directory),
    environment: process.env,
    redeliveryDelay,
    onAwsCall: (moment) => {
      if (canarySearch !== 'its own') canarySearch.onAwsCall(moment);
      return onAwsCall(moment);
    },
    newEventTypes: [unknownEventType],
    platform: { seed, settings, onCall: (request) => onCall(request) },
    platformProfile: { pageSize: size },
    onboarding,
    onStep: (step) => print(`${step} …`),
  });
  const watch = (watcher: OnCall) => {
    onCall = watcher;
  };
  try {
    const ofRun = await Promise.race([run(sandbox, watch), interruption()]);
    if (ofRun === 'interrupted') return interruptedCode;
    const checks = canarySearch === 'its own' ? ofRun : [...ofRun, ...(await canarySearch.check(sandbox))];
    const isFlawless = checks.every(({ holds }) => holds);
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    print(`\n${formatChecks(checks)}\n`);
    print(
      isFlawless
        ? `Every check holds, after ${seconds} s.`
        : `FAILED: see above, and ${relative('', sandbox.logFile)}.`,
    );
    return isFlawless ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

program.parseAsync().catch((error: unknown) => {
  const shown = error instanceof Error && !(error instanceof DirectoryLockedError) ? error.stack : error;
  process.stderr.write(`\n${shown instanceof Error ? shown.message : String(shown)}\n`);
  process.exit(1);
});
