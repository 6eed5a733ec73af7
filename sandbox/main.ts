/** `npm start`: the stacks of cdk.json, hosted on this machine, with a platform that delivers webhooks to them. */
import { dirname, join, relative, resolve } from 'node:path';
import { InvalidArgumentError, program } from 'commander';
import * as z from 'zod';
import { HostingError } from './aws/hosting-error.ts';
import { SynthesisError } from './aws/synthesize.ts';
import { startSandbox } from './sandbox.ts';
import { type Audit, isFlawless } from './scenario/audit.ts';
import { type Progress, runFirstWebhooks } from './scenario/first-webhooks.ts';
import { createNotifications, unknownEventType } from './scenario/notifications.ts';
import { formatTable } from './table.ts';

const root = dirname(import.meta.dirname);

program
  .name('npm start --')
  .description('Hosts the stacks on this machine, sends webhooks through them, and shows what became of each.')
  .option('--exit', 'end after the webhooks; exit code 1 if one was lost or doubled', false)
  .option('--port <number>', 'the port of the HTTP API; a free one unless given', portNumber)
  .option('--webhooks <number>', 'how many different webhooks to send', count, 500)
  .option('--directory <path>', 'where it writes what it needs and what it tells', join(root, '.sandbox'))
  .option('--seed <number>', 'what decides on the webhooks and their order', count, 1)
  .parse();

const options = z
  .object({
    exit: z.boolean(),
    port: z.number().optional(),
    webhooks: z.number(),
    directory: z.string(),
    seed: z.number(),
  })
  .parse(program.opts());

function count(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return number;
}

function portNumber(text: string): number {
  const number = count(text);
  if (number > 65_535) throw new InvalidArgumentError('There are no ports above 65535.');
  return number;
}

function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** On a terminal one line that changes; elsewhere a line now and then. */
function showProgress({ sent, answered, waiting }: Progress, total: number): void {
  const line = `  ${sent} of ${total} sent · ${answered} answered 200 · ${waiting} on the way to the event store`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
  else if (sent % 100 === 0 || sent === total) print(line);
}

function report({ tallies, lost, doubled, changed, refused }: Audit): void {
  const columns = ['sent', 'answered', 'stored', 'duplicates', 'quarantined'] as const;
  const rows = tallies.map((tally) => [tally.eventType, ...columns.map((column) => tally[column])]);
  const totals = columns.map((column) => tallies.reduce((sum, tally) => sum + tally[column], 0));
  print();
  print(formatTable(['event type', ...columns], [...rows, ['total', ...totals]]));
  print();
  print(`${lost} lost, ${doubled} doubled, ${changed} changed, ${refused} kept by the platform as undelivered`);
}

/** What a shell expects of a program that Ctrl-C has ended. */
const interrupted = 130;

async function main(): Promise<number> {
  const startedAt = performance.now();
  if (!process.version.startsWith('v24.'))
    throw new Error(`Run it with npm: it needs Node 24, and this is ${process.version}.`);
  const sandbox = await startSandbox({
    root,
    directory: resolve(options.directory),
    environment: process.env,
    apiPort: options.port,
    redeliveryDelay: 1,
    newEventTypes: [unknownEventType],
    onStep: (step) => print(`${step} …`),
  });
  const stopped = new Promise<'stopped'>((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop('stopped'));
  });
  try {
    const { host, endpoints } = sandbox;
    print();
    print(`  webhooks   POST ${endpoints.webhooks.url}/{eventType}`);
    print(`  platform   ${endpoints.platform}      control  ${endpoints.control}`);
    print(
      `  AWS APIs   ${endpoints.aws.dynamodb}      for tools: ${relative(root, sandbox.endpointsFile)}, ${relative(root, sandbox.logFile)}`,
    );
    print();
    print(
      `Not checked here: ${host.blueprint.notChecked.join(', ')}. A failed message comes back after 1 s, on AWS after minutes.`,
    );
    print();
    print('The platform delivers webhooks: some twice and written otherwise, some that nobody can read, in no order.');
    const notifications = createNotifications({
      seed: options.seed,
      events: options.webhooks,
      duplicates: Math.ceil(options.webhooks / 5),
    });
    const scenario = runFirstWebhooks({
      host,
      deliveries: sandbox.deliveries,
      notifications,
      onProgress: (progress) => showProgress(progress, notifications.length),
    });
    const audit = await Promise.race([scenario, stopped]);
    if (audit === 'stopped') return interrupted;
    report(audit);
    const flawless = isFlawless(audit);
    print(
      `${flawless ? 'Every webhook is in the event store, once' : 'FAILED'} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`,
    );
    if (options.exit) return flawless ? 0 : 1;
    print();
    print('It stays up; Ctrl-C ends it. Send one more webhook:');
    print(`  ${curl(endpoints.control)}`);
    await stopped;
    return flawless ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

function curl(control: string): string {
  const notification = { eventType: 'TRANSFER_NOTIFICATION', body: '{"transferId":"1","status":"PROCESSED"}' };
  return `curl -X POST ${control}/notifications -H 'content-type: application/json' -d '${JSON.stringify(notification)}'`;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const expected = error instanceof HostingError || error instanceof SynthesisError;
    process.stderr.write(`\n${expected ? error.message : String(error instanceof Error ? error.stack : error)}\n`);
    process.exit(1);
  },
);
