import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { auditEvents, isFlawless } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { createNotifications, type Notification, unknownEventType } from '#sandbox/scenario/common/notifications.ts';
import { drainAll } from '#sandbox/scenario/common/schedules.ts';
import { createMarkWatch } from '#sandbox/scenario/outage/mark-watch.ts';
import { everyNth } from '#test/full-size.ts';
import { type HostedSandbox, startHostedSandbox } from './hosted-sandbox.ts';

const pageSize = 8;
const inOutage = 24;
const meanwhile = 4;

type OnCall = (request: Request) => Promise<void>;

const put = z.object({ TableName: z.string() });

/** Where drain is killed, each once: around a checkpoint, and within a page. A unit test has a crash at each call. */
const killMoments = [
  { when: 'before', operation: 'PutItem', table: 'checkpoints' },
  { when: 'after', operation: 'PutItem', table: 'checkpoints' },
  { when: 'before', operation: 'BatchGetItem', table: '' },
];
let kills: typeof killMoments = [];

function killSometimes({ caller, when, operation, input }: AwsCallMoment): void {
  const [next] = kills;
  if (caller !== 'drain' || when !== next?.when || operation !== next.operation) return;
  // A read of all events of a page has no table of its own.
  if (!(put.safeParse(input()).data?.TableName ?? '').includes(next.table)) return;
  kills = kills.slice(1);
  sandbox.host.functions.find('drain')?.kill();
}

let onCall: OnCall | undefined;
let sandbox: HostedSandbox;
beforeAll(async () => {
  sandbox = await startHostedSandbox({
    newEventTypes: [unknownEventType],
    onAwsCall: killSometimes,
    platform: { settings: { deliveryRetriesAfter: [] }, onCall: (request) => onCall?.(request) },
    platformProfile: { pageSize },
  });
}, 120_000);
afterAll(() => sandbox.close());

async function fire(notifications: Iterable<Notification>): Promise<void> {
  for (const { eventType, body } of notifications)
    expect(await sandbox.platform.deliveries.deliver(eventType, Buffer.from(body))).toMatchObject({
      outcome: 'undelivered',
    });
}

/** The order of the list, and how its cursor works. `npm test` has the first pair only: drain-properties.test.ts has all orders. */
const orders = [
  { undeliveredOrder: 'SHUFFLED', undeliveredCursor: 'SNAPSHOT' },
  { undeliveredOrder: 'ASCENDING', undeliveredCursor: 'KEYSET' },
  { undeliveredOrder: 'DESCENDING', undeliveredCursor: 'OFFSET' },
] as const;

describe('drain after an outage', () => {
  it.each(everyNth(3, orders))(
    'stores every undelivered webhook once before it marks it, though drain is killed around a checkpoint and within a page, and more webhooks fail: order $undeliveredOrder, cursor $undeliveredCursor',
    async (settings) => {
      const { host, platform } = sandbox;
      const stored = await readAllEvents(host);
      const known = new Set(stored.map(({ eventId }) => eventId));
      const newEvents = async () => (await readAllEvents(host)).filter(({ eventId }) => !known.has(eventId));
      platform.settings.change(settings);
      const options = { seed: orders.indexOf(settings) + 1, events: inOutage + meanwhile - 6, duplicates: 6 };
      const notifications = createNotifications(options);
      const watch = createMarkWatch({ platform, notifications, readEvents: newEvents });
      host.setReachable(false);
      await fire(notifications.slice(0, inOutage));

      // One more webhook fails with each page that drain lists.
      const late = notifications.slice(inOutage).values();
      onCall = async (request) => {
        await watch.onCall(request);
        const { done, value } = request.method === 'GET' ? late.next() : { done: true, value: undefined };
        if (!done && value !== undefined) await fire([value]);
      };
      kills = killMoments;
      await drainAll(sandbox);
      onCall = undefined;
      await waitUntilStored(host);

      const sent = notifications.map((notification) => ({ notification, answered: true }));
      const audit = auditEvents(sent, await newEvents());
      expect(audit).toSatisfy(isFlawless);
      expect(late.next().done).toBe(true);
      expect(await newEvents()).toHaveLength(options.events);
      expect(platform.undelivered.count()).toBe(0);
      const { calls, early } = watch.marks();
      expect(calls).toBeGreaterThan(0);
      expect(early).toBe(0);
      expect(kills).toEqual([]);
    },
    120_000,
  );
});
