import type { CommitEvent } from '#shared/commit-event.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { namesIn } from '#shared/entities/names-in.ts';
import { subjectOf } from '#shared/entities/subject-of.ts';
import { type EventTypes, type IdentifiedEvent, identifyEvent, undeliveredEventType } from '#shared/event.ts';
import { type EventRow, firstReceivedOn, lastReceivedOn } from '#shared/event-row.ts';
import type { EventStore } from '#shared/event-store.ts';
import { readKeptRecord } from '#shared/kept-record.ts';
import { readBackEvent, readReadBack, readStoredReadBack } from '#shared/read-back.ts';
import { inflateBody, readWebhookMessage, type WebhookDelivery } from '#shared/webhook-delivery.ts';
import type { TakeEffect } from './take-effect.ts';

export type StoreDeps = {
  readonly commitEvent: CommitEvent;
  readonly eventStore: Pick<EventStore, 'read' | 'quarantine' | 'erase'>;
  readonly takeEffect: TakeEffect;
  readonly profile: EventTypes;
};

/** Of natural persons whom one body names: each is looked up. */
const mostExternalIds = 20;

/** An event was handed over that is not in the event store. */
export class EventMissingError extends DrawbridgeError {
  override readonly name = 'EventMissingError';
}

/**
 * Works on one message of the webhooks queue: a delivery becomes an event in the event store, once, with its deliveries
 * counted; then it has its effect, unless it is put into quarantine. So does what was read back from the platform. An event
 * that the drain has stored, or that is to be replayed, is judged anew. Every step can be repeated, so a throw is repaired by
 * redelivery.
 *
 * @throws when the message is none that we write, or when a write or an event was not confirmed
 */
export function createStore({ commitEvent, eventStore, takeEffect, profile }: StoreDeps) {
  return async (message: string): Promise<void> => {
    const { delivery, readBack, eventId } = readWebhookMessage(message);
    if (delivery !== undefined) await storeDelivery(delivery);
    else if (readBack !== undefined) await storeReadBack(readBack);
    else await judgeAnew(await readStored(eventId));
  };

  async function storeDelivery(delivery: WebhookDelivery): Promise<void> {
    const body = inflateBody(delivery.deflatedBody);
    const event = identifyEvent(delivery.eventType, body, profile);
    await commitEvent(event, delivery);
    await takeEffect({ ...event, ...whose(event, body), receivedOn: delivery.receivedOn });
  }

  async function storeReadBack(value: unknown): Promise<void> {
    const answer = readReadBack(value);
    const { event, delivery } = readBackEvent(answer);
    await commitEvent(event, delivery);
    await takeEffect({ ...event, naturalPersonId: answer.naturalPersonId });
  }

  async function readStored(eventId: string): Promise<EventRow> {
    const row = await eventStore.read(eventId);
    if (row !== undefined) return row;
    throw new EventMissingError('The event store does not have the event that was handed over: it moves to the DLQ.');
  }

  /** It leaves quarantine once it has had its effect: until then, it can be replayed. */
  async function judgeAnew(row: EventRow): Promise<void> {
    const { eventId, eventType, quarantineReason } = row;
    if (row.erasedOn !== undefined) return;
    const receivedOn = lastReceivedOn(row);
    const readBack = readStoredReadBack(row);
    if (readBack !== undefined) {
      const { naturalPersonId } = readBack;
      return takeEffect({ ...readBackEvent(readBack).event, naturalPersonId });
    }
    const body = inflateBody(row.deflatedBody);
    if (eventType === undeliveredEventType) {
      // It holds a record that a person should look at, not a webhook: no profile makes it one.
      return judgeRecord(row, receivedOn);
    }
    const event = identifyEvent(eventType, body, profile);
    await takeEffect({ ...event, ...whose(event, body), eventId, receivedOn, firstReceivedOn: firstReceivedOn(row) });
    if (event.quarantineReason !== quarantineReason) await eventStore.quarantine(eventId, event.quarantineReason);
  }

  /** An undelivered webhook that is kept as the record that it is, or a piece of the record. */
  async function judgeRecord(row: EventRow, receivedOn: string): Promise<void> {
    const { eventId, eventType, quarantineReason } = row;
    const record = await readKeptRecord(row, eventStore.read);
    if (record.is === 'erased in part') {
      for (const other of [...record.others, eventId]) await eventStore.erase(other);
      return;
    }
    const event = { eventType, placed: undefined };
    const named = record.is === 'whole' ? { ...whose(event, record.body), otherPieces: record.others } : {};
    await takeEffect({ eventId, ...event, receivedOn, quarantineReason, ...named });
  }

  /** Whose the verification is, or who the person, where the body says so; else whom it names. */
  function whose({ eventType, placed }: Pick<IdentifiedEvent, 'eventType' | 'placed'>, body: Uint8Array) {
    const subject = subjectOf(eventType, body, profile);
    if (subject.of === 'business') return {};
    if (subject.of === 'whom it names') {
      const { ids } = namesIn(body);
      return { named: { ids, externalIds: subject.externalIds.slice(0, mostExternalIds) } };
    }
    if (subject.of === 'natural-person') {
      const { id, externalId } = subject;
      // In quarantine no entity says whose the event is.
      return placed
        ? { externalId }
        : { named: { ids: [id], externalIds: externalId === undefined ? [] : [externalId] } };
    }
    const { id, naturalPersonId } = subject;
    return placed
      ? { naturalPersonId }
      : { named: { ids: id === undefined ? [naturalPersonId] : [naturalPersonId, id], externalIds: [] } };
  }
}
