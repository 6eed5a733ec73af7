import { setTimeout as wait } from 'node:timers/promises';
import type { CountedUsage, Usage } from '#cli/cost/counted-usage.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { indexName, type UsageCounter } from './usage-counter.ts';

/** The webhooks of one order, in their order. */
const statuses = ['PENDING', 'FILLED', 'SETTLED'];

/** The bodies of the webhooks of one order. */
export function orderBodies(order: number): readonly string[] {
  return statuses.map((status, index) => {
    const orderId = `00000000-0000-4000-8000-00000000000${order}`;
    const modifiedOn = `2026-11-22T10:0${index}:00.000000000Z`;
    return JSON.stringify({ orderId, status, notificationType: 'UPDATED', modifiedOn });
  });
}

/** For this long nothing may be counted until a count is complete: log lines come last. */
const quietMs = 400;

export type CountUsageDeps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly counter: UsageCounter;
};

/** Lets the hosted stacks work, and counts what the functions ask of AWS meanwhile. */
export function createCounting({ sandbox, counter }: CountUsageDeps) {
  const { host, platform } = sandbox;

  async function settle(): Promise<void> {
    await waitUntilStored(host);
    for (let last = ''; ; ) {
      const now = JSON.stringify(counter.read());
      if (now === last) return;
      last = now;
      await wait(quietMs);
    }
  }

  async function count(perform: () => Promise<unknown>): Promise<ReturnType<UsageCounter['read']>> {
    counter.start();
    await perform();
    await settle();
    return counter.read();
  }

  async function deliver(order: number): Promise<void> {
    for (const body of orderBodies(order)) {
      await platform.deliveries.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', Buffer.from(body));
      await waitUntilStored(host);
    }
  }

  async function runSchedules(): Promise<void> {
    for (const schedule of host.schedules.all) await schedule.runNow();
  }

  return { settle, count, deliver, runSchedules };
}

/** Delivers webhooks one at a time, and runs each schedule once. Counts what the functions ask of AWS meanwhile. */
export async function countUsage(deps: CountUsageDeps): Promise<Omit<CountedUsage, 'peers'>> {
  const { host, platform } = deps.sandbox;
  const { settle, count, deliver, runSchedules } = createCounting(deps);
  // What a schedule starts meanwhile would be counted too.
  host.schedules.close();
  // In the first minute of an hour, `wake-runs` reads the former shards too, which the figures leave out.
  const minutesToHalfPast = (90 - platform.clock.now().getUTCMinutes()) % 60;
  await platform.clock.advance(minutesToHalfPast * 60);
  // A schedule that is due meanwhile would be counted too.
  host.schedules.close();
  // Functions read their secrets when they load, and after that rarely.
  await deliver(1);
  await runSchedules();
  await settle();

  const webhooks = await count(() => deliver(2));
  const runs: Record<string, Usage> = {};
  for (const { name, runNow } of host.schedules.all) {
    const { grown: _, lists: __, written: ___, ...run } = await count(runNow);
    runs[name] = run;
  }
  const { grown, lists, written, ...ofWebhooks } = webhooks;
  const physicalName = (table: string) => host.blueprint.tables.find(({ name }) => name === table)?.physicalName ?? '';
  const growthOf = (table: string) => (grown.get(physicalName(table)) ?? 0) / statuses.length;
  const unitsOf = (name: string) => Math.round(((written.get(name) ?? 0) / statuses.length) * 100) / 100;
  const listOf = (table: string) => {
    const { writeUnits = 0, storedBytes = 0 } = lists.get(physicalName(table)) ?? {};
    return {
      writeUnits: Math.round((writeUnits / statuses.length) * 100) / 100,
      storedBytes: Math.round(storedBytes / statuses.length),
    };
  };
  return {
    countedBy: 'node tools/usage/main.ts --save',
    webhook: {
      ...divided(ofWebhooks, statuses.length),
      eventWriteUnits: unitsOf(physicalName('events')),
      dueWriteUnits: unitsOf(indexName(physicalName('entities'), entityKeys.due.index)),
      storedBytes: { events: Math.round(growthOf('events')), entities: Math.round(growthOf('entities')) },
      lists: { events: listOf('events'), entities: listOf('entities') },
    },
    runs,
  };
}

function divided(usage: Usage, by: number): Usage {
  const mean = (sum: number) => Math.round((sum / by) * 100) / 100;
  return {
    requests: Object.fromEntries(Object.entries(usage.requests).map(([name, sum]) => [name, mean(sum)])),
    writeUnits: mean(usage.writeUnits),
    readUnits: mean(usage.readUnits),
    tableUses: usage.tableUses,
    busEvents: mean(usage.busEvents),
    busBytes: Math.round(usage.busBytes / by),
    logBytes: Math.round(usage.logBytes / by),
    metrics: usage.metrics,
  };
}
