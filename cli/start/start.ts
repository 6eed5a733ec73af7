import { randomUUID } from 'node:crypto';
import { join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { type RunningConsole, startConsole } from '#cli/console/server/start-console.ts';
import { connect } from '#cli/deployment/connect.ts';
import { local } from '#cli/deployment/deployment.ts';
import { installedCommand, nameCommands, type TypedCommand } from '#cli/output/name-command.ts';
import { ownBundlings, recorderModule } from '#cli/start/own-bundlings.ts';
import { createLife, type Life } from '#sandbox/life/life.ts';
import { requireCallablePort } from '#sandbox/net/server.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { type Audit, isFlawless } from '#sandbox/scenario/common/event-audit.ts';
import { createNotifications, unknownEventType } from '#sandbox/scenario/common/notifications.ts';
import { type Progress, runFirstWebhooks } from '#sandbox/scenario/first-webhooks/run-first-webhooks.ts';
import { interruptedCode, interruption } from '#sandbox/terminal/command-line.ts';
import { commandAbout } from '#sandbox/terminal/quote.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { recordedBundlings, recordingEnvironment } from './recorded-bundlings.ts';
import { type Watch, watchFunctions } from './watch-functions.ts';

/** The visibility timeout of failed messages, in seconds. On AWS it is minutes, too long for a laptop. */
const redeliveryDelay = 1;

/** In seconds: `clockSkewMs` of `createConsumer`, which adds it to the time limit of a run for the difference of two clocks. */
const claimMargin = 10;

/** The time between the link and the end of a video call, in seconds. The setting `videoCallsAfter` changes it. */
const videoCallsAfter = 5;

/** What shows most in the least time. */
const nextCommands = ['trigger order.settled', 'tail', 'status', 'doctor', 'console', 'tour', '--help'];

export type StartOptions = {
  /** The folder of the CDK app. */
  readonly app: string;
  /** Whether to end after the webhooks. */
  readonly exit: boolean;
  /** Of the HTTP API; a free one unless given. */
  readonly port?: number | undefined;
  /** Whether containers may call the laptop. */
  readonly containers: boolean;
  /** How many different webhooks to send as a demo; 0 for none. */
  readonly webhooks: number;
  readonly seed: number;
  /** Whether to print no line per webhook, decision and bus event. */
  readonly quiet: boolean;
  /** How many onboardings, orders and transfers begin per second in the background. */
  readonly traffic?: number | undefined;
  /** Whether the code of functions follows their sources. */
  readonly watch: boolean;
  readonly directory: string;
  /** The options that name this laptop in the commands that are shown; none unless given. */
  readonly commandOptions?: TypedCommand['options'];
  readonly environment: Readonly<Record<string, string | undefined>>;
};

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function printWarning(warning: string): void {
  print(`WARNING: ${warning}`);
}

function printAddresses({ host, endpoints, endpointsFile, logFile }: Sandbox): void {
  print(
    '',
    `  webhooks   POST ${endpoints.webhooks.url}/{eventType}`,
    `  queries    GET ${endpoints.api}/entities/{kind}/{id}, /timeline below it, /events/{eventId}`,
    `  onboarding POST ${endpoints.api}/onboardings, GET ${endpoints.api}/onboardings/{externalId}`,
    `  reference  ${endpoints.api}/docs`,
    `  platform   ${endpoints.platform}, reference ${endpoints.platform}/docs`,
    `  control    ${endpoints.control}`,
    `  AWS APIs   AWS_ENDPOINT_URL=${endpoints.aws.dynamodb}`,
    `  for tools  ${relative(process.cwd(), endpointsFile)}`,
    `  log        ${relative(process.cwd(), logFile)}`,
    '',
    `Not checked here: ${host.blueprint.notChecked.join(', ')}.`,
    `Failed messages are redelivered after ${redeliveryDelay} s, or ${claimMargin} s after the time limit of a run that was cut; on AWS after minutes.`,
    `A video call ends ${videoCallsAfter} s after its link was created. To end each call yourself and choose its outcome:`,
    `  curl ${endpoints.control}/settings -X PATCH --json '{"videoCallsAfter":null}'`,
    '',
  );
}

/** Prints the progress: one changing line on a terminal, a line at each quarter elsewhere. */
function createProgressPrinter(total: number): (progress: Progress) => void {
  let printedQuarter = 0;
  return ({ sent, answered, waiting }) => {
    const line = `  ${sent} of ${total} sent · ${answered} answered 200 · ${waiting} in queues`;
    const quarter = Math.floor((sent * 4) / total);
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
    else if (quarter > printedQuarter) print(line);
    printedQuarter = quarter;
  };
}

function printAudit({ tallies, lost, doubled, changed, refused }: Audit): void {
  const columns = ['sent', 'answered', 'stored', 'duplicates', 'quarantined'] as const;
  const rows = tallies.map((tally) => [tally.eventType, ...columns.map((column) => tally[column])]);
  const totals = columns.map((column) => tallies.reduce((sum, tally) => sum + tally[column], 0));
  print(
    '',
    formatTable(['event type', ...columns], [...rows, ['total', ...totals]]),
    '',
    `${lost} lost, ${doubled} stored twice, ${changed} changed, ${refused} kept by the platform as undelivered.`,
  );
}

type NextSteps = {
  readonly commandOptions: TypedCommand['options'];
  readonly consoleUrl: string;
  readonly quiet: boolean;
  readonly hasDemo: boolean;
  readonly orderId: string | undefined;
};

function printNextSteps({ commandOptions, consoleUrl, quiet, hasDemo, orderId }: NextSteps): void {
  const typed = (command: string) =>
    nameCommands(`drawbridge ${command}`, { name: installedCommand, options: commandOptions });
  const commands = [
    ...nextCommands,
    ...(orderId === undefined ? [] : [commandAbout('orders show', orderId, '--timeline')]),
  ];
  print(
    '',
    'The console shows it in the browser. The address opens one browser, once:',
    `  ${consoleUrl}`,
    '',
    'The sandbox keeps running. To end it, press Ctrl-C. In another terminal, try:',
    ...commands.map((command) => `  ${typed(command)}`),
    `To forward bus events to a service of yours: ${typed('listen --forward-to http://localhost:3000')}`,
    `Where a text says drawbridge, run ${installedCommand}.`,
    ...(hasDemo
      ? [
          'In the first minutes doctor finds problems that the demo causes: malformed webhooks in quarantine, and a webhook of a type that is not configured.',
        ]
      : []),
    ...(quiet ? [] : ['', 'Each line below is a webhook, a decision of Drawbridge, or an event on the bus:']),
  );
}

/** Where the CDK app notes how its functions are bundled. */
const bundlingsFile = ({ directory }: StartOptions): string => join(directory, 'bundlings.jsonl');

function startStacks(options: StartOptions, life: Life): Promise<Sandbox> {
  const { environment } = options;
  const recording = { recorder: recorderModule, file: bundlingsFile(options) };
  return startSandbox({
    root: options.app,
    directory: options.directory,
    environment: options.watch ? recordingEnvironment(environment, recording) : environment,
    apiPort: options.port,
    answersContainers: options.containers,
    redeliveryDelay,
    claimMargin,
    newEventTypes: options.webhooks === 0 ? [] : [unknownEventType],
    // So that a developer sees every status of an order.
    platform: { settings: { videoCallsAfter, unlistedNotifications: true }, onWarning: printWarning },
    onStep: (step) => print(`${step} …`),
    onFunctionLog: life.onFunctionLog,
    onAwsCall: life.onAwsCall,
  });
}

async function startWatch({ host }: Sandbox, options: StartOptions): Promise<Watch> {
  const bundlings = [...recordedBundlings(bundlingsFile(options)), ...ownBundlings()];
  const assembly = join(options.directory, 'cdk.out');
  const watching = await watchFunctions(
    { bundlings, functions: host.functions.functions, assembly },
    { elapsed: () => performance.now(), print },
  );
  print(
    watching.names.length > 0
      ? `Watching the code of ${watching.names.join(', ')}. A change of the stacks needs a restart.`
      : 'Watching no function: none is bundled by NodejsFunction.',
  );
  return watching;
}

/** @returns whether every webhook is in the event store exactly once */
async function sendWebhooks({ host, platform }: Sandbox, options: StartOptions): Promise<boolean> {
  if (options.webhooks === 0) return true;
  print('The platform delivers webhooks in random order: some twice in different notations, some malformed.');
  const duplicates = Math.ceil(options.webhooks / 5);
  const notifications = createNotifications({
    seed: options.seed,
    events: options.webhooks,
    duplicates,
    isSent: (eventType) => platform.registrations.get(eventType) !== undefined,
  });
  const audit = await runFirstWebhooks({
    host,
    platform,
    notifications,
    onProgress: createProgressPrinter(notifications.length),
  });
  printAudit(audit);
  const isGood = isFlawless(audit);
  print(isGood ? 'Every webhook is in the event store exactly once.' : 'FAILED. See the numbers above and the log.');
  return isGood;
}

/**
 * Hosts the stacks until Ctrl-C, or until the webhooks are through.
 *
 * @returns the exit code: 1 if a webhook was lost, stored twice or changed
 */
export async function start(options: StartOptions): Promise<number> {
  if (options.port !== undefined) await requireCallablePort(options.port);
  const life = createLife((line) => print(line));
  const sandbox = await startStacks(options, life);
  const interrupted = interruption();
  let running: RunningConsole | undefined;
  let watching: Watch | undefined;
  try {
    if (options.watch) watching = await startWatch(sandbox, options);
    printAddresses(sandbox);
    const isGood = await Promise.race([sendWebhooks(sandbox, options), interrupted]);
    if (isGood === 'interrupted') return interruptedCode;
    if (!options.exit) {
      running = await startLaptopConsole(options);
      const orderId = await readSomeOrder(sandbox.endpoints.api);
      printNextSteps({
        commandOptions: options.commandOptions ?? {},
        consoleUrl: running.url,
        quiet: options.quiet,
        hasDemo: options.webhooks > 0,
        orderId,
      });
      if (!options.quiet) life.show(sandbox.platform);
      startTraffic(sandbox, options.traffic);
      await interrupted;
    }
    return isGood ? 0 : 1;
  } finally {
    // Traffic fails while the functions stop.
    sandbox.platform.traffic.start(0);
    watching?.close();
    await running?.close();
    await sandbox.close();
    if (!options.exit) print('', 'Everything on this machine is gone.');
  }
}

const orders = z.object({ items: z.array(z.object({ id: z.string() })) });

/** The id of an order to look up; undefined if the API has no order. */
async function readSomeOrder(api: string): Promise<string | undefined> {
  const answer = await fetch(`${api}/entities/order?limit=1`).then(
    (response) => response.json(),
    () => undefined,
  );
  return orders.safeParse(answer).data?.items[0]?.id;
}

/** Serves the console for the laptop, with writes: nothing there is anyone's money. */
async function startLaptopConsole({
  directory,
  environment,
  commandOptions = {},
}: Pick<StartOptions, 'directory' | 'environment' | 'commandOptions'>): Promise<RunningConsole> {
  const deps = {
    fetch,
    now: () => new Date(),
    newId: () => randomUUID().slice(0, 8),
    environment,
    wait: (milliseconds: number, signal?: AbortSignal) =>
      wait(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  };
  const deployment = await connect({ env: local, directory }, deps);
  return startConsole({ deployment, isOperator: true, commandOptions }, deps);
}

/** Onboards over Drawbridge whenever there is traffic, and begins the traffic of this rate. */
function startTraffic({ platform, endpoints }: Sandbox, perSecond: number | undefined): void {
  platform.traffic.onboardBy(async (externalId, person) => {
    const answer = await fetch(`${endpoints.api}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId, person, identification: { mode: 'video' } }),
    });
    if (!answer.ok) throw new Error(`Drawbridge answered ${answer.status} to an onboarding of the traffic.`);
  });
  if (perSecond !== undefined) platform.traffic.start(perSecond);
}
