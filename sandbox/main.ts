/** `npm start`: hosts the stacks on this machine, with a platform that delivers webhooks to them. */
import { dirname, join, relative, resolve } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import { HostingError } from './aws/stacks/hosting-error.ts';
import { SynthesisError } from './aws/stacks/synthesize.ts';
import { DirectoryLockedError } from './directory-lock.ts';
import { JoinError } from './join-platform.ts';
import { BlockedPortError, requireCallablePort } from './net/blocked-port.ts';
import { PortTakenError } from './net/server.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { type Audit, isFlawless } from './scenario/common/event-audit.ts';
import { createNotifications, unknownEventType } from './scenario/common/notifications.ts';
import { type Progress, runFirstWebhooks } from './scenario/first-webhooks/run-first-webhooks.ts';
import { count, interruptedCode, interruption, portNumber, requireNode24 } from './terminal/command-line.ts';
import { formatTable } from './terminal/table.ts';

const root = dirname(import.meta.dirname);

/** The visibility timeout of failed messages, in seconds. On AWS it is minutes, too long for a laptop. */
const redeliveryDelay = 1;

/** The time between the link and the end of a video call, in seconds. The setting `videoCallsAfter` changes it. */
const videoCallsAfter = 5;

program
  .name('npm start --')
  .description('Hosts the stacks on this machine, sends webhooks through them, and shows the result.')
  .option('--app <path>', 'the CDK app to host, a folder with a cdk.json: Drawbridge, and stacks of yours', root)
  .option('--exit', 'exit after the webhooks; exit code 1 if one was lost or stored twice', false)
  .option('--port <number>', 'the port of the HTTP API (default: a free port)', portNumber)
  .option('--webhooks <number>', 'the number of different webhooks to send', count, 500)
  .option('--seed <number>', 'the seed for the webhooks and their order', count, 1)
  .option('--directory <path>', 'the directory for working files and the log', join(root, '.sandbox'))
  .parse();

const options = z
  .object({
    app: z.string(),
    exit: z.boolean(),
    port: z.number().optional(),
    webhooks: z.number(),
    seed: z.number(),
    directory: z.string(),
  })
  .parse(program.opts());

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
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
    `Failed messages are redelivered after ${redeliveryDelay} s; on AWS after minutes.`,
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

function printNextSteps(control: string): void {
  const notification = { eventType: 'TRANSFER_NOTIFICATION', body: '{"transferId":"1","status":"PROCESSED"}' };
  print(
    '',
    'The sandbox keeps running. To end it, press Ctrl-C. To make the platform send one more webhook, run:',
    `  curl ${control}/notifications --json '${JSON.stringify(notification)}'`,
  );
}

function start(): Promise<Sandbox> {
  return startSandbox({
    root: resolve(options.app),
    directory: resolve(options.directory),
    environment: process.env,
    apiPort: options.port,
    redeliveryDelay,
    newEventTypes: [unknownEventType],
    platform: { settings: { videoCallsAfter } },
    onStep: (step) => print(`${step} …`),
  });
}

function sendWebhooks({ host, platform }: Sandbox): Promise<Audit> {
  print('The platform delivers webhooks in random order: some twice in different notations, some malformed.');
  const duplicates = Math.ceil(options.webhooks / 5);
  const notifications = createNotifications({ seed: options.seed, events: options.webhooks, duplicates });
  return runFirstWebhooks({
    host,
    deliveries: platform.deliveries,
    notifications,
    onProgress: createProgressPrinter(notifications.length),
  });
}

async function main(): Promise<number> {
  requireNode24();
  if (options.port !== undefined) await requireCallablePort(options.port);
  const sandbox = await start();
  const interrupted = interruption();
  try {
    printAddresses(sandbox);
    const audit = await Promise.race([sendWebhooks(sandbox), interrupted]);
    if (audit === 'interrupted') return interruptedCode;
    printAudit(audit);
    print(
      isFlawless(audit)
        ? 'Every webhook is in the event store exactly once.'
        : 'FAILED. See the numbers above and the log.',
    );
    if (!options.exit) {
      printNextSteps(sandbox.endpoints.control);
      await interrupted;
    }
    return isFlawless(audit) ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

/** The message of such an error says what to do, so the stack trace is not printed. */
function isExpected(error: Error): boolean {
  const ours = [HostingError, SynthesisError, PortTakenError, BlockedPortError, DirectoryLockedError, JoinError];
  return ours.some((kind) => error instanceof kind);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const shown = error instanceof Error && !isExpected(error) ? error.stack : error;
    process.stderr.write(`\n${shown instanceof Error ? shown.message : String(shown)}\n`);
    process.exit(1);
  },
);
