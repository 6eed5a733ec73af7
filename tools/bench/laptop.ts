import { join } from 'node:path';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { auditEvents, type Sent, withBody } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { drainAll } from '#sandbox/scenario/common/schedules.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { formatSpread, table } from './report.ts';
import { orderBody, orderType } from './webhooks.ts';

/** Webhooks of a round. A tenth of them are duplicates. */
const webhooks = 1_000;
const deliveryConcurrency = 32;

export type LaptopBenchOptions = {
  readonly directory: string;
  readonly rounds: number;
  readonly onRound: (round: number) => void;
};

type Round = { readonly stored: number; readonly drained: number; readonly lost: number; readonly doubled: number };

/**
 * Delivers webhooks from the sandbox platform to the hosted stacks, round by round, once while the endpoint is reachable, and once
 * by the drain after an outage. Returns a table in Markdown.
 */
export async function benchLaptop({ directory, rounds, onRound }: LaptopBenchOptions): Promise<string> {
  const sandbox = await startSandbox({
    root: repositoryRoot,
    directory: join(directory, 'laptop'),
    environment: process.env,
  });
  try {
    sandbox.platform.settings.change({ deliveryRetriesAfter: [] });
    // Every function has its processes, as many as it gets.
    await runRound(sandbox, 'warm-up');
    const results: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      onRound(round);
      results.push(await runRound(sandbox, `round-${round}`));
    }
    const row = (name: string, of: (round: Round) => number) => [name, formatSpread(results.map(of))];
    return table(
      ['', 'Measured'],
      [
        row('webhooks delivered and stored, a second', ({ stored }) => webhooks / stored),
        row('undelivered webhooks drained and stored, a second', ({ drained }) => webhooks / drained),
        row('lost webhooks', ({ lost }) => lost),
        row('webhooks stored twice', ({ doubled }) => doubled),
      ],
    );
  } finally {
    await sandbox.close();
  }
}

async function runRound(sandbox: Sandbox, name: string): Promise<Round> {
  const { host } = sandbox;
  const sent: Sent[] = [];
  const stored = await secondsOf(async () => {
    sent.push(...(await deliver(sandbox, name, 0)));
    await waitUntilStored(host);
  });
  host.setReachable(false);
  sent.push(...(await deliver(sandbox, name, webhooks)));
  host.setReachable(true);
  const drained = await secondsOf(async () => {
    await drainAll(sandbox);
    await waitUntilStored(host);
  });
  const bodies = new Set(sent.map(({ notification }) => notification.body));
  const rows = (await readAllEvents(host)).filter((row) => bodies.has(withBody(row).body));
  const { lost, doubled } = auditEvents(sent, rows);
  return { stored, drained, lost, doubled };
}

async function deliver({ platform }: Sandbox, name: string, start: number): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const numbers = Array.from({ length: webhooks }, (_, index) => start + (index % (0.9 * webhooks)));
  await mapConcurrent(numbers, deliveryConcurrency, async (event) => {
    const body = orderBody(`${name}-${event}`, 0);
    await platform.deliveries.deliver(orderType, Buffer.from(body));
    sent.push({ notification: { event, eventType: orderType, body }, answered: true });
  });
  return sent;
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}
