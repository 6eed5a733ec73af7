import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone, checkSome } from '#sandbox/scenario/common/checks.ts';
import { auditEvents, countRepeated } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { createNotifications, type Notification } from '#sandbox/scenario/common/notifications.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { drainAll, refreshToken } from '#sandbox/scenario/common/schedules.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { createMarkWatch, type MarkWatch } from './mark-watch.ts';

export type OutageProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  /** Called before the first webhook is sent, with a function that must see every call to the platform. */
  readonly watch: (onCall: MarkWatch['onCall']) => void;
  /** The number of webhooks that the platform sends while the endpoint is down. */
  readonly webhooks: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
};

/** The notifications before, during and after the outage. Some of those during it repeat earlier ones. */
type Phases = {
  readonly before: readonly Notification[];
  readonly during: readonly Notification[];
  readonly after: readonly Notification[];
};

const halfHourSeconds = 1_800;
const halfHoursPerDay = 48;

const deliveryConcurrency = 16;

/**
 * The endpoint is down for a day while the platform sends webhooks. Some repeat earlier events in another notation. Then
 * the endpoint returns, further webhooks arrive, and the drain fetches what the platform has kept.
 */
export async function runOutage({ sandbox, watch, webhooks, seed, onStep }: OutageProps): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  const share = Math.ceil(webhooks / 10);
  const notifications = createNotifications({ seed, events: webhooks + share, duplicates: share });
  const { before, during, after } = phasesOf(notifications, webhooks);
  const { onCall, marks } = createMarkWatch({ platform, notifications, readEvents: () => readAllEvents(host) });
  watch(onCall);
  platform.settings.change({ deliveryRetriesAfter: [] });

  onStep(`Delivers ${before.length} webhooks`);
  const answeredBefore = await send(sandbox, before);

  onStep(`The endpoint is down for a day while the platform sends ${during.length} webhooks`);
  host.setReachable(false);
  await fireForADay(sandbox, during);
  const kept = platform.undelivered.count();

  onStep(`The endpoint is back. ${after.length} more webhooks arrive while the drain fetches the undelivered ones`);
  host.setReachable(true);
  const sending = send(sandbox, after);
  const runs = await drainAll(sandbox, (left) => onStep(`  the drain has run: ${left} webhooks are undelivered`));
  const answeredAfter = await sending;
  await waitUntilStored(host);

  const sent = notifications.map((notification) => ({ notification, answered: true }));
  const rows = await readAllEvents(host);
  const { lost, doubled, changed } = auditEvents(sent, rows);
  return [
    checkEqual(
      'webhooks delivered before and after the outage',
      before.length + after.length,
      answeredBefore + answeredAfter,
    ),
    checkEqual('webhooks kept by the platform during the outage', during.length, kept),
    checkEqual('events in the event store', webhooks + share, rows.length),
    checkNone('  lost', lost),
    checkNone('  stored twice', doubled),
    checkNone('  with a body that was never sent', changed),
    checkEqual('webhooks with equal content, stored as one event', share, countRepeated(rows)),
    checkNone(`undelivered after ${runs} runs of the drain`, platform.undelivered.count()),
    checkNone(`webhooks marked before they were stored, in ${marks().calls} calls`, marks().early),
    checkSome('calls that mark webhooks as delivered', marks().calls),
    checkNone('dead letters', await countMessages(host, 'dead letters')),
  ];
}

/** Sends the first of two equal notifications before the outage. Events from number `inOutage` on come after it. */
function phasesOf(notifications: readonly Notification[], inOutage: number): Phases {
  const isFirstOfTwo = (notification: Notification) =>
    notifications.findLast(({ event }) => event === notification.event) !== notification;
  const before = notifications.filter(isFirstOfTwo);
  const others = notifications.filter((notification) => !before.includes(notification));
  return {
    before,
    during: others.filter(({ event }) => event < inOutage),
    after: others.filter(({ event }) => event >= inOutage),
  };
}

async function fireForADay(sandbox: OutageProps['sandbox'], notifications: readonly Notification[]): Promise<void> {
  const each = Math.ceil(notifications.length / halfHoursPerDay);
  for (let halfHour = 0; halfHour < halfHoursPerDay; halfHour += 1) {
    await send(sandbox, notifications.slice(halfHour * each, (halfHour + 1) * each));
    await sandbox.platform.clock.advance(halfHourSeconds);
    await refreshToken(sandbox.host);
  }
}

/** Returns how many of the notifications were delivered. */
async function send({ platform }: OutageProps['sandbox'], notifications: readonly Notification[]): Promise<number> {
  const deliveries = await mapConcurrent(notifications, deliveryConcurrency, ({ eventType, body }) =>
    platform.deliveries.deliver(eventType, Buffer.from(body)),
  );
  return deliveries.filter(({ outcome }) => outcome === 'delivered').length;
}
