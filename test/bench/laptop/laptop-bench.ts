import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { type Sandbox, startSandbox } from '#sandbox/sandbox.ts';
import { countDeadLetters } from '#sandbox/scenario/common/dead-letters.ts';
import { auditEvents, type Sent, withBody } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { type PublishedChange, watchChanges } from '#sandbox/scenario/common/published-changes.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { orderBody, orderType } from '#test/bench/webhooks.ts';
import { countEffects, type Effects, type StoredOrder } from './count-effects.ts';

/** Webhooks of a round: each is about a new order, except for the duplicates. */
export const laptopWebhooks = { orders: 900, duplicates: 100 } as const;

/** Webhooks that the platform has under way at a time. */
export const deliveryConcurrency = 32;

const readConcurrency = 16;

/** Times are in seconds since the first delivery. */
export type LaptopRound = {
  /** When the last webhook was answered. */
  readonly answered: number;
  /** When the last webhook was answered, and the last change was on the bus. */
  readonly published: number;
  /** In seconds, of each order: from its first delivery until its change was on the bus. */
  readonly delays: readonly number[];
  readonly effects: Effects;
};

export type LaptopBenchOptions = {
  readonly directory: string;
  readonly rounds: number;
  readonly onRound: (round: number) => void;
};

type Published = { readonly change: PublishedChange; readonly at: number };

type Laptop = Pick<Sandbox, 'host' | 'platform'> & { readonly published: () => readonly Published[] };

/** Delivers webhooks from the sandbox platform to the hosted stacks, round by round, and checks what they have caused. */
export async function benchLaptop({ directory, rounds, onRound }: LaptopBenchOptions): Promise<readonly LaptopRound[]> {
  const { onAwsCall, changes } = watchChanges();
  const published: Published[] = [];
  const { host, platform, close } = await startSandbox({
    root: repositoryRoot,
    directory: join(directory, 'laptop'),
    environment: process.env,
    onAwsCall: (moment) => {
      onAwsCall(moment);
      for (const change of changes().slice(published.length)) published.push({ change, at: performance.now() });
    },
  });
  try {
    const laptop = { host, platform, published: () => published };
    // Every function has its processes, as many as it gets.
    await runRound(laptop, 'warm-up');
    const results: LaptopRound[] = [];
    for (let round = 0; round < rounds; round += 1) {
      onRound(round);
      results.push(await runRound(laptop, `round-${round}`));
    }
    return results;
  } finally {
    await close();
  }
}

async function runRound({ host, platform, published }: Laptop, name: string): Promise<LaptopRound> {
  const { orders, duplicates } = laptopWebhooks;
  const sent: Sent[] = [];
  const begunAt = new Map<string, number>();
  // A duplicate comes some time after the webhook that it repeats.
  const numbers = Array.from({ length: orders + duplicates }, (_, index) => index % orders);
  const begin = performance.now();
  await mapConcurrent(numbers, deliveryConcurrency, async (event) => {
    const id = `${name}-${event}`;
    const body = orderBody(id, 0);
    if (!begunAt.has(id)) begunAt.set(id, performance.now());
    const { outcome } = await platform.deliveries.deliver(orderType, Buffer.from(body));
    sent.push({ notification: { event, eventType: orderType, body }, answered: outcome === 'delivered' });
  });
  const answeredAt = performance.now();
  await waitUntilStored(host);

  const ofRound = published().filter(({ change }) => begunAt.has(change.id));
  const first = new Map(ofRound.toReversed().map(({ change, at }) => [change.id, at]));
  const bodies = new Set(sent.map(({ notification }) => notification.body));
  const rows = (await readAllEvents(host)).filter((row) => bodies.has(withBody(row).body));
  const effects = countEffects({
    orders: [...begunAt.keys()],
    audit: auditEvents(sent, rows),
    stored: await readOrders(host, [...begunAt.keys()]),
    changes: ofRound.map(({ change }) => change),
    deadLetters: await countDeadLetters(host),
  });
  return {
    answered: (answeredAt - begin) / 1_000,
    published: (Math.max(answeredAt, ...ofRound.map(({ at }) => at)) - begin) / 1_000,
    delays: [...first].map(([id, at]) => (at - (begunAt.get(id) ?? begin)) / 1_000),
    effects,
  };
}

async function readOrders({ clients, blueprint }: Host, ids: readonly string[]): Promise<readonly StoredOrder[]> {
  const { read } = createEntityStore({
    dynamodb: clients.dynamodb,
    tableName: blueprint.tables.find(({ name }) => name === 'entities')?.physicalName ?? '',
    rules: rulesWith({}),
    now: () => new Date(),
    random: Math.random,
    wait,
  });
  const found = await mapConcurrent(ids, readConcurrency, (id) => read({ kind: 'order', id }));
  return found.flatMap((entity) => (entity === undefined ? [] : [entity]));
}
