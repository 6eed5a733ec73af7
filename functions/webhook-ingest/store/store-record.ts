import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { type EventTypes, type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/events/event.ts';
import { type EventRow, firstReceivedOn, isDrained, lastReceivedOn } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { readJsonText } from '#shared/events/json-text.ts';
import { readKeptRecord } from '#shared/events/kept-record.ts';
import { readBackEvent, readReadBack, readStoredReadBack } from '#shared/events/read-back.ts';
import { inflateBody, readWebhookMessage, type WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import type { SetLogIds } from '#shared/lambda/handler.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { namesOf, type Subject, subjectOf, subjectOfAnswer } from '#shared/persons/event-subject.ts';
import type { CommitEvent, IndexEntry } from '#shared/persons/person-index.ts';
import type { ApplyEvent } from './apply-event.ts';

export type StoreDeps = {
  readonly commitEvent: CommitEvent;
  readonly eventStore: Pick<EventStore, 'read' | 'quarantine' | 'erase'>;
  readonly applyEvent: ApplyEvent;
  readonly profile: EventTypes;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'time' | 'countOfVersion'>;
};

/**
 * Handles one message of the webhooks queue:
 *
 * - a delivery of a webhook is committed as an event, and applied
 * - an answer of the platform that was read back is committed as an event, and applied
 * - a stored event, from the drain or a replay, is evaluated and applied again
 *
 * An event in quarantine has no effect. Every part can be repeated: SQS delivers the message again after a throw.
 *
 * @throws when the message does not have a form that Drawbridge writes, or when a write or an event was not confirmed
 */
export function createStore({ commitEvent, eventStore, applyEvent, profile, now, log, metrics }: StoreDeps) {
  return async (message: string, setLogIds?: SetLogIds): Promise<void> => {
    const { delivery, readBack, eventId } = readWebhookMessage(message);
    if (delivery !== undefined) await storeDelivery(delivery, setLogIds);
    else if (readBack !== undefined) await storeReadBack(readBack, setLogIds);
    else {
      setLogIds?.({ eventId });
      await reapply(await readStored(eventId));
      log.info('event applied', { eventId });
    }
  };

  async function storeDelivery(delivery: WebhookDelivery, setLogIds: SetLogIds | undefined): Promise<void> {
    const { deliveryId } = delivery;
    setLogIds?.({ deliveryId });
    const body = inflateBody(delivery.deflatedBody);
    const { event, indexedIds, affected } = evaluate(delivery.eventType, body);
    const { eventId } = event;
    setLogIds?.({ deliveryId, eventId });
    // An event that leaves quarantine has had no effect before.
    const { firstReceivedOn: first, outcome } = await commitEvent(event, delivery, indexedIds);
    const { receivedOn } = delivery;
    const effect = await applyEvent({ ...event, ...affected, indexedIds, receivedOn, firstReceivedOn: first });
    // What was stored before publishes nothing with any version.
    if (outcome === 'stored') metrics.countOfVersion('NewWebhooks');
    if (outcome === 'stored' && effect === 'none') metrics.countOfVersion('NewWebhooksUnpublished');
    // Only once the delivery has succeeded: the time of its failures is in it. The clocks of two machines may differ.
    metrics.time('ReceiptToBusDuration', Math.max(0, now().getTime() - Date.parse(receivedOn)));
    // Joins the delivery, which the access log has, to the event, which the bus has.
    log.info('event applied', { deliveryId, eventId, outcome });
  }

  async function storeReadBack(value: unknown, setLogIds: SetLogIds | undefined): Promise<void> {
    const answer = readReadBack(value);
    const { event, delivery } = readBackEvent(answer);
    const { eventId } = event;
    setLogIds?.({ eventId });
    const body = inflateBody(delivery.deflatedBody);
    const indexedIds = namesOf(subjectOfAnswer(answer), body);
    const { outcome } = await commitEvent(event, delivery, indexedIds);
    await applyEvent({ ...event, indexedIds, naturalPersonId: answer.naturalPersonId });
    log.info('event applied', { eventId, outcome });
  }

  async function readStored(eventId: string): Promise<EventRow> {
    const row = await eventStore.read(eventId);
    if (row !== undefined) return row;
    throw new DrawbridgeError(
      'EventMissingError',
      'The event store does not have the event that was handed over: it moves to the DLQ.',
    );
  }

  /** Applies a stored event again. It leaves quarantine after its effect, so that it can be replayed until then. */
  async function reapply(row: EventRow): Promise<void> {
    const { eventId, eventType, quarantineReason } = row;
    if (row.erasedOn !== undefined) return;
    const receivedOn = lastReceivedOn(row);
    const readBack = readStoredReadBack(row);
    if (readBack !== undefined) {
      const { naturalPersonId } = readBack;
      const indexedIds = namesOf(subjectOfAnswer(readBack), inflateBody(row.deflatedBody));
      await applyEvent({ ...readBackEvent(readBack).event, indexedIds, naturalPersonId });
      return;
    }
    // The event holds a record for an operator, not a webhook, with any profile.
    if (eventType === undeliveredEventType) return reapplyRecord(row, receivedOn);
    const { event, indexedIds, affected } = evaluate(eventType, inflateBody(row.deflatedBody));
    await applyEvent({
      ...event,
      ...affected,
      indexedIds,
      eventId,
      receivedOn,
      firstReceivedOn: firstReceivedOn(row),
      drainedOn: isDrained(row) ? now().toISOString() : undefined,
    });
    if (event.quarantineReason !== quarantineReason) await eventStore.quarantine(eventId, event.quarantineReason);
  }

  /** Applies a stored record of an undelivered webhook again, or a piece of the record. */
  async function reapplyRecord(row: EventRow, receivedOn: string): Promise<void> {
    const { eventId, eventType, quarantineReason } = row;
    const record = await readKeptRecord(row, eventStore.read);
    if (record.is === 'erased in part') {
      for (const other of [...record.others, eventId]) await eventStore.erase(other);
      return;
    }
    const event = { eventId, eventType, placed: undefined, receivedOn, quarantineReason };
    if (record.is === 'later piece') {
      await applyEvent({ ...event, indexedIds: { ids: [], onboardingIds: [] } });
      return;
    }
    const subject = subjectOf(eventType, record.body, profile);
    const indexedIds = namesOf(subject, record.body);
    await applyEvent({
      ...event,
      ...personOrOnboardingOf(event, subject, indexedIds),
      indexedIds,
      otherPieces: record.others,
    });
  }

  function evaluate(eventType: string, body: Uint8Array) {
    const json = readJsonText(body);
    const event = identifyEvent(eventType, body, profile, json);
    const subject = subjectOf(eventType, body, profile, json);
    const indexedIds = namesOf(subject, body);
    return { event, indexedIds, affected: personOrOnboardingOf(event, subject, indexedIds) };
  }

  /** The person of a verification, or the onboarding of a person, if the body says so; else the ids that the body names. */
  function personOrOnboardingOf(
    { placed }: Pick<IdentifiedEvent, 'placed'>,
    subject: Subject,
    { ids, onboardingIds }: IndexEntry,
  ) {
    if (subject.of === 'business') return {};
    // In quarantine no entity says which person the event is about.
    if (subject.of === 'whom it names' || subject.of === 'unread' || !placed)
      return { namedIds: { ids, onboardingIds } };
    if (subject.of === 'identification-verification') return { naturalPersonId: subject.naturalPersonId };
    const { externalId } = subject;
    return externalId === undefined ? {} : { onboardingId: onboardingIdOf(externalId) };
  }
}
