import { inflateBody, readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { timelineOf } from './entities.ts';
import { contentKey, contentKeyOf } from './platform-truth.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';
import { deadEvents, identify, type StoredEvent, storedEvents } from './stored-events.ts';

/** Promises 1 and 3: every webhook is stored and has had its effect, or is in the DLQ. */
export const checkEventsEnd: FinalCheck = (system, notified) => {
  const dead = deadEvents(system);
  const stored = new Map(storedEvents(system).map((event) => [event.eventId, event]));
  const events = notified.map(({ eventType, body }) => identify(eventType, Buffer.from(body)));
  system.judged(3, events.length);
  const missing = events.find(({ eventId }) => !stored.has(eventId) && !dead.has(eventId));
  if (missing !== undefined) return { promise: 3, what: `An event of ${missing.eventType} is stored nowhere.` };
  const contents = new Set([...stored.values()].map(contentKeyOf));
  const merged = events.find(
    ({ eventId }, index) =>
      !dead.has(eventId) &&
      stored.get(eventId)?.erasedOn === undefined &&
      !contents.has(contentKey(notified[index] ?? { eventType: '', body: '' })),
  );
  if (merged !== undefined)
    return { promise: 3, what: `A webhook of ${merged.eventType} is not stored with its content.` };
  const published = publishedIds(system);
  system.judged(2, stored.size);
  const idle = [...stored.values()].find((event) => !dead.has(event.eventId) && !hasEffect(system, event, published));
  if (idle !== undefined) return { promise: 3, what: `An event of ${idle.eventType} is stored, and had no effect.` };
  return checkIdentity([...stored.values()]) ?? checkDeliveries(system, stored, dead);
};

/** Promise 2: webhooks with equal content are one event, for every order of the fields. */
function checkIdentity(stored: readonly StoredEvent[]): BrokenPromise | undefined {
  const alike = Map.groupBy(
    stored.filter(({ event, erasedOn }) => event !== undefined && erasedOn === undefined),
    contentKeyOf,
  );
  const twice = [...alike.values()].find(({ length }) => length > 1);
  return twice && { promise: 2, what: `One event of ${twice[0]?.eventType} is stored ${twice.length} times.` };
}

/** The published events by detail type and event id. */
function publishedIds({ cloud }: SimulatedSystem): ReadonlySet<string> {
  return new Set(
    cloud.eventBridge.published().map(({ detailType, detail }) => `${detailType} ${JSON.parse(detail).eventId}`),
  );
}

function hasEffect(
  system: SimulatedSystem,
  { eventId, event, erasedOn }: StoredEvent,
  published: ReadonlySet<string>,
): boolean {
  if (erasedOn !== undefined) return true;
  if (event === undefined || event.quarantineReason !== undefined) return published.has(`EventQuarantined ${eventId}`);
  if (event.placed === undefined) return published.has(`EventReceived ${eventId}`);
  return timelineOf(system, event.placed).some((entry) => entry.eventId === eventId);
}

/** Promise 2: each delivery counts once. */
function checkDeliveries(
  { cloud }: SimulatedSystem,
  stored: ReadonlyMap<string, StoredEvent>,
  dead: ReadonlySet<string>,
): BrokenPromise | undefined {
  const miscounted = [...stored.values()].find(({ deliveries, deliveryIds }) => deliveries !== deliveryIds.length);
  if (miscounted !== undefined)
    return {
      promise: 2,
      what: `An event counts ${miscounted.deliveries} deliveries, of ${miscounted.deliveryIds.length}.`,
    };
  for (const text of cloud.sent()) {
    const delivery = deliveryOf(text);
    if (delivery === undefined) continue;
    const { eventId } = identify(delivery.eventType, inflateBody(delivery.deflatedBody));
    const isCounted = stored.get(eventId)?.deliveryIds.includes(`${delivery.receivedOn}#${delivery.deliveryId}`);
    if (isCounted !== true && !dead.has(eventId))
      return { promise: 3, what: `The delivery ${delivery.deliveryId} was accepted, and its event does not list it.` };
  }
  return undefined;
}

function deliveryOf(text: string) {
  return text.startsWith('{"deliveryId"') ? readWebhookMessage(text).delivery : undefined;
}
