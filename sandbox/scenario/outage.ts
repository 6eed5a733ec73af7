import type { Delivery } from '#sandbox/platform/webhooks/deliver.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { auditEvents } from './audit.ts';
import { type Check, checkEqual, checkNone, checkSome } from './checks.ts';
import { countDeadLetters } from './dead-letters.ts';
import { readAllEvents, waitUntilStored } from './first-webhooks.ts';
import { createMarkWatch, type MarkWatch } from './mark-watch.ts';
import { createNotifications, type Notification } from './notifications.ts';
import { drainAll, refreshToken } from './schedules.ts';

export type OutageProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  /** Told of the watch before any webhook is sent: it must see each call to the platform from then on. */
  readonly watch: (onCall: MarkWatch['onCall']) => void;
  /** How many webhooks fire while the endpoint is down. */
  readonly webhooks: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
};

/** What is sent before, in and after the outage. Some of what fires in it says what was delivered before it. */
type Phases = {
  readonly before: readonly Notification[];
  readonly during: readonly Notification[];
  readonly after: readonly Notification[];
};

/** In seconds. */
const halfAnHour = 1_800;
const halfHoursOfADay = 48;

/** Deliveries under way at once. */
const concurrency = 16;

/**
 * Issue 4: the endpoint is down for a day while webhooks fire, some of which say in other words what was delivered
 * before. It comes back, webhooks go on to come, and the drain fetches what the platform has kept.
 */
export async function runOutage({ sandbox, watch, webhooks, seed, onStep }: OutageProps): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  const share = Math.ceil(webhooks / 10);
  const notifications = createNotifications({ seed, events: webhooks + share, duplicates: share });
  const { before, during, after } = phasesOf(notifications, webhooks);
  const { onCall, marks } = createMarkWatch({ platform, notifications, readEvents: () => readAllEvents(host) });
  watch(onCall);
  platform.settings.change({ deliveryRetriesAfter: [] });

  onStep(`${before.length} webhooks are delivered`);
  const answeredBefore = delivered(await send(sandbox, before));

  onStep(`The endpoint is down for a day, while ${during.length} webhooks fire`);
  host.setReachable(false);
  await fireForADay(sandbox, during);
  const kept = platform.undelivered.count();

  onStep(`It is back, and ${after.length} more come while the drain fetches what was kept`);
  host.setReachable(true);
  const sending = send(sandbox, after);
  const runs = await drainAll(sandbox, (left) => onStep(`  the drain has run, ${left} are undelivered`));
  const answeredAfter = delivered(await sending);
  await waitUntilStored(host);

  const sent = notifications.map((notification) => ({ notification, answered: true }));
  const rows = await readAllEvents(host);
  const { lost, doubled, changed } = auditEvents(sent, rows);
  const repeated = rows.reduce((sum, { deliveries }) => sum + deliveries - 1, 0);
  return [
    checkEqual('delivered before and after', before.length + after.length, answeredBefore + answeredAfter),
    checkEqual('kept by the platform in the outage', during.length, kept),
    checkEqual('events in the event store', webhooks + share, rows.length),
    checkNone('  lost', lost),
    checkNone('  doubled', doubled),
    checkNone('  with a body that nobody sent', changed),
    checkEqual('the same in other words, one event', share, repeated),
    checkNone(`undelivered after ${runs} runs of the drain`, platform.undelivered.count()),
    checkNone(`marked before it was stored, in ${marks().calls} calls`, marks().early),
    checkSome('calls that marked', marks().calls),
    checkNone('dead letters', await countDeadLetters(host)),
  ];
}

/** An event that is sent twice is sent before, and in the outage; those beyond so many come after it. */
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
  const each = Math.ceil(notifications.length / halfHoursOfADay);
  for (let halfHour = 0; halfHour < halfHoursOfADay; halfHour += 1) {
    await send(sandbox, notifications.slice(halfHour * each, (halfHour + 1) * each));
    await sandbox.platform.clock.advance(halfAnHour);
    await refreshToken(sandbox.host);
  }
}

async function send(
  { platform }: OutageProps['sandbox'],
  notifications: readonly Notification[],
): Promise<readonly Delivery[]> {
  const outcomes: Delivery[] = [];
  const left = notifications.values();
  const sendSome = async () => {
    for (const { eventType, body } of left)
      outcomes.push(await platform.deliveries.deliver(eventType, Buffer.from(body)));
  };
  await Promise.all(Array.from({ length: concurrency }, sendSome));
  return outcomes;
}

function delivered(deliveries: readonly Delivery[]): number {
  return deliveries.filter(({ outcome }) => outcome === 'delivered').length;
}
