/** `npm run scenario`: shows on the hosted stacks, with the sandbox platform, which failures Drawbridge survives. */

import { writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { Option, program } from 'commander';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { SandboxError } from '#sandbox/errors.ts';
import type { SettingsChange } from '#sandbox/platform/core/settings-store.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts';
import { count, fileToWrite, interruptedCode, interruption, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { runBacklog } from './backlog/run-backlog.ts';
import { type Check, formatChecks } from './common/checks.ts';
import { createMarkerSearch, type MarkerSearch } from './common/marker-search.ts';
import { unknownEventType } from './common/notifications.ts';
import { watchChanges } from './common/published-changes.ts';
import { createRepresentative, requestorKinds, requireRequestorEverywhere } from './onboarding/platform-part.ts';
import { createLiveTable } from './onboarding/rounds.ts';
import { runOnboarding } from './onboarding/run-onboarding.ts';
import { createOnboardingWatch, watchSteps } from './onboarding/watch.ts';
import { runOutage } from './outage/run-outage.ts';
import { recordScenario, type ScenarioRecord } from './report/scenario-record.ts';
import { restingPersonas } from './soak/day-plan.ts';
import { checkConstant, checkDays, type Day, formatDays } from './soak/days.ts';
import { createRequestCounter } from './soak/meter.ts';
import { runSoak } from './soak/run-soak.ts';
import { runTrading } from './trading/run-trading.ts';

const root = dirname(dirname(import.meta.dirname));

/** The visibility timeout of failed messages, in seconds: short, so that a scenario does not wait. */
const redeliveryDelay = 1;

/** The places where no marker word may be. The webhooks queue is none of them: it carries the bodies of webhooks. */
const allPlaces = ['log', 'bus', 'queue', 'dead letter'] as const;

/** The promises that the checks of each scenario are about. */
const promisesOf = {
  outage: [1, 2, 3, 5, 8, 9],
  backlog: [5, 8, 10],
  trading: [2, 3, 4, 8],
  onboarding: [2, 6, 8, 9, 12],
  soak: [1, 2, 3, 6, 7, 8, 9],
} as const;

type ScenarioName = keyof typeof promisesOf;

type OnCall = (request: Request) => Promise<void> | void;
type Run = (sandbox: Sandbox, watch: (onCall: OnCall) => void) => Promise<readonly Check[]>;

const order = new Option('--order <order>', 'the order of the list of undelivered webhooks').choices([
  'ascending',
  'descending',
  'shuffled',
]);
const cursor = new Option('--cursor <kind>', 'the kind of cursor of that list').choices([
  'keyset',
  'offset',
  'snapshot',
]);
const directory = new Option('--directory <path>', 'the directory for working files and the log');
const requestor = new Option(
  '--requestor <kind>',
  'the requestor of calls about a person: the person itself, or a configured person with proxies',
).choices(requestorKinds);
const everywhere = new Option(
  '--requestor-everywhere',
  'the platform requires a Requestor-ID of each call, and the platform profile names one',
);
const report = new Option(
  '--report <file>',
  'writes an HTML page with what happened, what waited when, and the checks',
).argParser(fileToWrite);

const setup = z.object({
  order: z.string().toUpperCase(),
  cursor: z.string().toUpperCase(),
  directory: z.string(),
  pageSize: z.number(),
  report: z.string().optional(),
  requestorEverywhere: z.boolean(),
});
const outageOptions = z.object({ webhooks: z.number(), seed: z.number() });
const tradingOptions = z.object({ orders: z.number(), transfers: z.number(), seed: z.number() });
const onboardingOptions = z.object({ persons: z.number(), seed: z.number(), requestor: z.enum(requestorKinds) });
const soakOptions = z.object({
  days: z.number(),
  hours: z.number(),
  webhooks: z.number(),
  orders: z.number(),
  transfers: z.number(),
  persons: z.number(),
  seed: z.number(),
});
const backlogOptions = z.object({ records: z.number(), pace: z.number() });

/** Only with `--report`. */
let record: ScenarioRecord | undefined;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints a step, and keeps it for the report. */
function reportStep(step: string): void {
  print(step);
  record?.add(step);
}

function reportDay(days: readonly Day[]): void {
  for (const { counts } of days.slice(-1))
    reportStep(
      `  day ${days.length}: ${counts.webhooks} webhooks, ${counts.lost} lost, ${counts.doubled} doubled, ${counts.stuck} stuck`,
    );
}

function addScenario(name: ScenarioName, description: string, size = 500) {
  const pageSize = new Option('--page-size <number>', 'the number of undelivered webhooks per page')
    .argParser(count)
    .default(size);
  return program
    .command(name)
    .description(description)
    .addOption(order.default('ascending'))
    .addOption(cursor.default('keyset'))
    .addOption(pageSize)
    .addOption(everywhere.default(false))
    .addOption(report)
    .addOption(directory.default(join(root, '.sandbox')));
}

program
  .name('npm run scenario --')
  .description('Shows which failures Drawbridge survives. Exit code 1: a check failed.');

addScenario('outage', 'The endpoint is down for a day while the platform sends webhooks. Then the drain fetches them.')
  .option('--webhooks <number>', 'the number of webhooks sent during the outage', count, 5_000)
  .option('--seed <number>', 'the seed for the webhooks and their order', count, 1)
  .action((options: unknown) => {
    const chosen = outageOptions.parse(options);
    return exitWith({ name: 'outage', options, markerSearch: createMarkerSearch(allPlaces) }, (sandbox, watch) =>
      runOutage({ sandbox, watch, onStep: reportStep, ...chosen }),
    );
  });

addScenario(
  'backlog',
  'The drain fetches a long list of undelivered webhooks as fast as the platform lists it, with no more memory than for a short one.',
  platformProfile.parse({}).pageSize,
)
  .option('--records <number>', 'the number of undelivered webhooks', count, 100_000)
  .option('--pace <number>', 'what the list gives a second while the pace is measured', count, 40)
  .action((options: unknown) => {
    const { records, pace } = backlogOptions.parse(options);
    print('Only the drain is measured: its messages stay in the queue.');
    const onAwsCall = (moment: AwsCallMoment) => (isPollOfStore(moment) ? never : undefined);
    // The drain publishes no events, and its messages contain ids and no bodies.
    const markerSearch = createMarkerSearch(['log', 'queue', 'webhooks queue', 'dead letter']);
    return exitWith({ name: 'backlog', options, onAwsCall, markerSearch }, async (sandbox) => {
      const { measurements, checks } = await runBacklog({ sandbox, records, pacePerSecond: pace, onStep: reportStep });
      const rows = measurements.map((one) => [one.records, one.runs, one.seconds, one.maxRunMs, one.mebibytes]);
      print(`\n${formatTable(['records', 'runs', 'seconds', 'longest run, s', 'max. resident MiB'], rows)}`);
      return checks;
    });
  });

addScenario(
  'trading',
  'Orders and transfers go through their life cycles while webhooks are duplicated, delayed and reordered.',
)
  .option('--orders <number>', 'the number of orders', count, 500)
  .option('--transfers <number>', 'the number of transfers', count, 300)
  .option('--seed <number>', 'the seed for their outcomes', count, 1)
  .action((options: unknown) => {
    const chosen = tradingOptions.parse(options);
    const { onAwsCall, changes } = watchChanges();
    return exitWith({ name: 'trading', options, onAwsCall, markerSearch: createMarkerSearch(allPlaces) }, (sandbox) =>
      runTrading({ sandbox, changes, onStep: reportStep, ...chosen }),
    );
  });

addScenario('onboarding', 'Persons are onboarded concurrently while answers and webhooks are lost and functions die.')
  .option('--persons <number>', 'the number of persons', count, 200)
  .option('--seed <number>', 'the seed for their outcomes and for the faults', count, 1)
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
      reportStep(step);
    };
    const onboarding = kind === 'proxy' ? createRepresentative : undefined;
    return exitWith(
      { name: 'onboarding', options, onAwsCall: watch.onAwsCall, seed, onboarding, markerSearch: 'its own' },
      (sandbox) => runOnboarding({ sandbox, watch, persons, seed, onStep, onRound: show }),
    );
  });

addScenario(
  'soak',
  'Days of mixed traffic, each with an outage, a rotation, token failures and erasures, cost the same.',
)
  .option('--days <number>', 'the number of days; from 3 days, the last is compared with the second', count, 7)
  .option('--hours <number>', 'the hours of a day', count, 24)
  .option('--webhooks <number>', 'the number of made-up webhooks per day', count, 300)
  .option('--orders <number>', 'the number of orders per day', count, 60)
  .option('--transfers <number>', 'the number of transfers per day', count, 40)
  .option('--persons <number>', 'the number of persons per day', count, Object.keys(restingPersonas).length)
  .option('--seed <number>', 'the seed for all of them', count, 1)
  .action((options: unknown) => {
    const chosen = soakOptions.parse(options);
    const counter = createRequestCounter();
    const steps = watchSteps();
    const onAwsCall = (moment: AwsCallMoment) => {
      counter.onAwsCall(moment);
      steps.onAwsCall(moment);
    };
    return exitWith(
      { name: 'soak', options, onAwsCall, markerSearch: createMarkerSearch(allPlaces), isLean: true },
      async (sandbox, watch) => {
        watch(counter.onPlatformCall);
        const { days, checks } = await runSoak({
          sandbox,
          counter,
          steps,
          onStep: reportStep,
          onDay: reportDay,
          ...chosen,
        });
        print(`\n${formatDays(days)}`);
        return [...checkDays(days), ...checkConstant(days), ...checks];
      },
    );
  });

const never = new Promise<void>(() => undefined);
/** Matches the webhooks queue, but not its dead-letter queue, which a scenario reads. */
const receive = z.object({ QueueUrl: z.string().regex(/-webhooks$/) });

function isPollOfStore({ operation, input }: AwsCallMoment): boolean {
  return operation === 'ReceiveMessage' && receive.safeParse(input()).success;
}

type Setup = {
  readonly name: ScenarioName;
  readonly options: unknown;
  readonly onAwsCall?: SandboxOptions['onAwsCall'];
  /** Searches for marker words, unless the scenario does so itself. */
  readonly markerSearch: MarkerSearch | 'its own';
  /** The seed of the platform. */
  readonly seed?: number;
  readonly onboarding?: SandboxOptions['onboarding'];
  /** Whether the sandbox keeps little of what it stores in memory. */
  readonly isLean?: true;
};

async function exitWith(chosen: Setup, run: Run): Promise<void> {
  requireNode24();
  process.exit(await perform(chosen, run));
}

/** The scenario as `--help` describes it. */
function describeScenario(name: ScenarioName) {
  const command = program.commands.find((one) => one.name() === name);
  return {
    name,
    description: command?.description() ?? '',
    promises: promisesOf[name],
    options: command?.opts() ?? {},
  };
}

/** Runs the scenario. @returns the exit code */
async function perform(
  { name, options, onAwsCall = () => undefined, markerSearch, seed = 1, onboarding, isLean }: Setup,
  run: Run,
): Promise<number> {
  const { order: undeliveredOrder, cursor: undeliveredCursor, pageSize: size, ...chosen } = setup.parse(options);
  if (chosen.report !== undefined) record = recordScenario(describeScenario(name));
  const settings: SettingsChange = { undeliveredOrder, undeliveredCursor };
  const tables = join(resolve(chosen.directory), 'tables');
  let onCall: OnCall = () => undefined;
  const startedAt = Date.now();
  const sandbox = await startSandbox({
    root,
    directory: resolve(chosen.directory),
    ...(isLean && { storage: { tables, maxLogLines: 1_000, maxArchivedEvents: 1_000 } }),
    environment: process.env,
    redeliveryDelay,
    onAwsCall: (moment) => {
      if (markerSearch !== 'its own') markerSearch.onAwsCall(moment);
      record?.onAwsCall(moment);
      return onAwsCall(moment);
    },
    newEventTypes: [unknownEventType],
    platform: { seed, settings, onCall: (request) => onCall(request) },
    platformProfile: { pageSize: size },
    onboarding,
    requestors: chosen.requestorEverywhere ? requireRequestorEverywhere : undefined,
    onStep: (step) => print(`${step} …`),
  });
  const watch = (watcher: OnCall) => {
    onCall = watcher;
  };
  record?.begin(sandbox);
  try {
    const ofRun = await Promise.race([run(sandbox, watch), interruption()]);
    if (ofRun === 'interrupted') return interruptedCode;
    const checks = markerSearch === 'its own' ? ofRun : [...ofRun, ...(await markerSearch.check(sandbox))];
    const isFlawless = checks.every(({ holds }) => holds);
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    print(`\n${formatChecks(checks)}\n`);
    if (chosen.report !== undefined && record !== undefined) {
      writeFileSync(chosen.report, await record.end(checks));
      print(`Report: ${chosen.report}`);
    }
    print(
      isFlawless
        ? `Every check holds. The scenario took ${seconds} s.`
        : `FAILED. See the checks above and the log ${relative('', sandbox.logFile)}.`,
    );
    return isFlawless ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

program.parseAsync().catch((error: unknown) => {
  const shown =
    error instanceof Error && !(error instanceof SandboxError && error.code === 'DIRECTORY_LOCKED')
      ? error.stack
      : error;
  process.stderr.write(`\n${shown instanceof Error ? shown.message : String(shown)}\n`);
  process.exit(1);
});
