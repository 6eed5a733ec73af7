/** `npm start`: the stacks of cdk.json, hosted on this machine, with a platform that delivers webhooks to them. */
import { dirname, join, relative, resolve } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import { HostingError } from './aws/stacks/hosting-error.ts';
import { SynthesisError } from './aws/stacks/synthesize.ts';
import { BlockedPortError, requireCallablePort } from './blocked-port.ts';
import { count, interruptedCode, interruption, portNumber, requireNode24 } from './command-line.ts';
import { DirectoryLockedError } from './directory-lock.ts';
import { JoinError } from './join-platform.ts';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { type Audit, isFlawless } from './scenario/audit.ts';
import { type Progress, runFirstWebhooks } from './scenario/first-webhooks.ts';
import { createNotifications, unknownEventType } from './scenario/notifications.ts';
import { PortTakenError } from './server.ts';
import { formatTable } from './table.ts';

const root = dirname(import.meta.dirname);

/** In seconds: on AWS it is minutes, and nobody waits that long on a laptop. */
const redeliveryDelay = 1;

/** In seconds, from its link: then the person has taken the video call, unless `videoCallsAfter` is changed. */
const videoCallsAfter = 5;

program
  .name('npm start --')
  .description('Hosts the stacks on this machine, sends webhooks through them, and shows what became of each.')
  .option('--exit', 'end after the webhooks; exit code 1 if one was lost or doubled', false)
  .option('--port <number>', 'the port of the HTTP API; a free one unless given', portNumber)
  .option('--webhooks <number>', 'how many different webhooks to send', count, 500)
  .option('--seed <number>', 'what decides on the webhooks and their order', count, 1)
  .option('--directory <path>', 'where it writes what it needs and what it tells', join(root, '.sandbox'))
  .parse();

const options = z
  .object({
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
    `  look-ups   GET ${endpoints.api}/entities/{kind}/{id}, /timeline below it, /events/{eventId}`,
    `  onboarding POST ${endpoints.api}/onboardings, GET ${endpoints.api}/onboardings/{externalId}`,
    `  platform   ${endpoints.platform}`,
    `  control    ${endpoints.control}`,
    `  AWS APIs   ${endpoints.aws.dynamodb}`,
    `  for tools  ${relative(process.cwd(), endpointsFile)}`,
    `  the log    ${relative(process.cwd(), logFile)}`,
    '',
    `Not checked here: ${host.blueprint.notChecked.join(', ')}.`,
    `A message that failed comes back after ${redeliveryDelay} s; on AWS after minutes.`,
    `A person takes the video call ${videoCallsAfter} s after it gets the link. To end each call yourself, and to choose how it ends:`,
    `  curl ${endpoints.control}/settings -X PATCH --json '{"videoCallsAfter":null}'`,
    '',
  );
}

/** On a terminal one line that changes; elsewhere a line at each quarter. */
function createProgressPrinter(total: number): (progress: Progress) => void {
  let printedQuarter = 0;
  return ({ sent, answered, waiting }) => {
    const line = `  ${sent} of ${total} sent · ${answered} answered 200 · ${waiting} on the way to the event store`;
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
    `${lost} lost, ${doubled} doubled, ${changed} changed, ${refused} kept by the platform as undelivered.`,
  );
}

function printInvitation(control: string): void {
  const notification = { eventType: 'TRANSFER_NOTIFICATION', body: '{"transferId":"1","status":"PROCESSED"}' };
  print(
    '',
    'It stays up; Ctrl-C ends it. Let the platform send one more webhook:',
    `  curl ${control}/notifications --json '${JSON.stringify(notification)}'`,
  );
}

function start(): Promise<Sandbox> {
  return startSandbox({
    root,
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
  print('The platform delivers webhooks: some twice and written otherwise, some that nobody can read, in no order.');
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
    print(isFlawless(audit) ? 'Every webhook is in the event store, once.' : 'FAILED: see above, and the log.');
    if (!options.exit) {
      printInvitation(sandbox.endpoints.control);
      await interrupted;
    }
    return isFlawless(audit) ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

/** Its message says what to do: no stack is needed. */
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
