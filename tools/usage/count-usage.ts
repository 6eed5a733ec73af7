import { setTimeout as wait } from 'node:timers/promises';
import type { CountedUsage, Usage } from '#cli/cost/counted-usage.ts';
import { noUsage } from '#cli/cost/quantities.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { refreshToken, runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { indexName, type UsageCounter } from './usage-counter.ts';

/** The webhooks of one order, in their order. */
const statuses = ['PENDING', 'FILLED', 'SETTLED'];

/** The bodies of the webhooks of one order. */
export function orderBodies(order: number): readonly string[] {
  return statuses.map((status, index) => {
    const orderId = `00000000-0000-4000-8000-${String(order).padStart(12, '0')}`;
    const modifiedOn = `2026-11-22T10:0${index}:00.000000000Z`;
    return JSON.stringify({ orderId, status, notificationType: 'UPDATED', modifiedOn });
  });
}

/** A quantity as it is kept: to a hundredth. */
export const roundUnits = (units: number) => Math.round(units * 100) / 100;

/** In seconds: longer than the precision of the index of due entities, and not the rest of an hour (see `countUsage`). */
const betweenReports = 20 * 60;

/** A transfer that expects a report. The person is in the body, as `reconcile` needs it if each person is the requestor of its calls. */
const openTransfer = JSON.stringify({
  transferId: '00000000-0000-4000-8000-000000000020',
  naturalPersonId: '00000000-0000-4000-8000-000000000021',
  status: 'PENDING',
  notificationType: 'UPDATED',
  modifiedOn: '2026-11-22T10:00:00.000000000Z',
});

/** On the platform's list of persons. */
const listedPersons = 10;

/** For this long nothing may be counted until a count is complete: log lines come last, on a busy machine late. */
const quietMs = 2_000;

export type CountUsageDeps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly counter: UsageCounter;
};

/** Lets the hosted stacks work, and counts what the functions ask of AWS meanwhile. */
export function createCounting({ sandbox, counter }: CountUsageDeps) {
  const { host, platform } = sandbox;

  async function settle(): Promise<void> {
    while (platform.deliveries.waiting() > 0) await wait(100);
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

  async function advance(seconds: number): Promise<void> {
    await platform.clock.advance(seconds);
    await refreshToken(host);
  }

  async function deliver(bodies: readonly string[]): Promise<void> {
    for (const body of bodies) {
      await platform.deliveries.deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', Buffer.from(body));
      await waitUntilStored(host);
    }
  }

  /**
   * Counts one webhook of each order: of every three orders the last, the second and the first. Each comes in another quarter of an hour
   * than the one before of its order, so that it moves the order in the index of due entities.
   */
  async function countOrders(orders: readonly number[], andThen: () => Promise<void> = async () => undefined) {
    const parts = orders.map((order, index) => {
      const before = statuses.length - 1 - (index % statuses.length);
      return { before: orderBodies(order).slice(0, before), counted: orderBodies(order).slice(before, before + 1) };
    });
    for (let nth = 0; nth < statuses.length - 1; nth += 1) {
      await deliver(parts.flatMap(({ before }) => before.slice(nth, nth + 1)));
      await advance(betweenReports);
    }
    // Functions read their secrets when they load, and after that rarely.
    await deliver(orderBodies(1));
    await settle();
    return count(async () => {
      await deliver(parts.flatMap(({ counted }) => counted));
      await andThen();
    });
  }

  async function runSchedules(): Promise<void> {
    for (const schedule of host.schedules.all) await schedule.runNow();
  }

  return { settle, count, advance, deliver, countOrders, runSchedules };
}

/**
 * Counts what a due transfer adds to a run of `reconcile`, and what each person of the platform's list adds. The transfer is due again in the
 * second run, which reads the lists.
 */
async function countReconcile(deps: CountUsageDeps, idle: Usage): Promise<CountedUsage['reconcile']> {
  const { host, platform } = deps.sandbox;
  const { settle, count, advance } = createCounting(deps);
  const runAfter = async (hours: number) => {
    await settle();
    await advance(hours * 3_600);
    return count(() => runSchedule(host, 'reconcile-runs'));
  };
  // A day after their first scans, `reconcile` scans the tables again for rows of 0.2.0, which the figures leave out.
  await runAfter(25);
  await runAfter(1);
  await platform.deliveries.deliver('TRANSFER_NOTIFICATION', Buffer.from(openTransfer));
  const due = await runAfter(7);
  for (let person = 0; person < listedPersons; person += 1) makeReadyPerson(platform, {}, 'ACTIVE');
  const listing = await runAfter(24);
  return {
    readBack: { readUnits: due.readUnits - idle.readUnits, writeUnits: due.writeUnits - idle.writeUnits },
    person: { readUnits: (listing.readUnits - due.readUnits) / listedPersons },
  };
}

/** Delivers webhooks one at a time, and runs each schedule once. Counts what the functions ask of AWS meanwhile. */
export async function countUsage(deps: CountUsageDeps): Promise<Omit<CountedUsage, 'peers'>> {
  const { host, platform } = deps.sandbox;
  const { settle, count, deliver, countOrders, runSchedules } = createCounting(deps);
  // What a schedule starts meanwhile would be counted too.
  host.schedules.close();
  // In the first minute of an hour, `wake-runs` reads the former shards too, which the figures leave out.
  const minutesToHalfPast = (90 - platform.clock.now().getUTCMinutes()) % 60;
  await platform.clock.advance(minutesToHalfPast * 60);
  // A schedule that is due meanwhile would be counted too.
  host.schedules.close();
  await deliver(orderBodies(1));
  const webhooks = await countOrders([2, 3, 4]);
  await runSchedules();
  await settle();

  const runs: Record<string, Usage> = {};
  for (const { name, runNow } of host.schedules.all) {
    const { grown: _, lists: __, written: ___, ...run } = await count(runNow);
    runs[name] = run;
  }
  const { grown, lists, written, ...ofWebhooks } = webhooks;
  const physicalName = (table: string) => host.blueprint.tables.find(({ name }) => name === table)?.physicalName ?? '';
  const growthOf = (table: string) => (grown.get(physicalName(table)) ?? 0) / statuses.length;
  const unitsOf = (name: string) => roundUnits((written.get(name) ?? 0) / statuses.length);
  const listOf = (table: string) => {
    const { writeUnits = 0, storedBytes = 0 } = lists.get(physicalName(table)) ?? {};
    return {
      writeUnits: roundUnits(writeUnits / statuses.length),
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
    reconcile: await countReconcile(deps, runs['reconcile-runs'] ?? noUsage),
  };
}

function divided(usage: Usage, by: number): Usage {
  const mean = (sum: number) => roundUnits(sum / by);
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
