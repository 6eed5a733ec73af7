import { createHash } from 'node:crypto';
import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import type { QuarantineReason } from '#shared/events/event.ts';
import { newEventRow } from '#shared/events/event-row.ts';
import type { EventFilter } from '#shared/events/scan-events.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';

/** What is listed of an event, and when it expires, in seconds since 1970. */
export type StoredEvent = {
  readonly eventId: string;
  readonly eventType: string;
  readonly receivedOn: string;
  readonly quarantineReason: QuarantineReason | undefined;
  readonly expiresAt: number;
};

export const now = new Date('2026-03-01T00:00:00.000Z');
const nowInSeconds = now.getTime() / 1000;

export const eventTypes = ['TRANSFER_NOTIFICATION', 'NEW_NOTIFICATION', '__proto__'] as const;
const reasons = ['UNKNOWN_EVENT_TYPE', 'NOT_JSON', 'NOT_AN_OBJECT'] as const;

/** A few moments, so that two events often share one. */
export const moments = Array.from({ length: 5 }, (_, day) => new Date(now.getTime() - day * 86_400_000).toISOString());

const fields = {
  eventType: fc.constantFrom(...eventTypes),
  receivedOn: fc.constantFrom(...moments),
  quarantineReason: fc.option(fc.constantFrom(...reasons), { nil: undefined, freq: 3 }),
  expiresAt: fc.constantFrom(nowInSeconds - 1, nowInSeconds, nowInSeconds + 1, nowInSeconds + 86_400),
};

let serial = 0;

/** An event that no other test knows: in quarantine, valid for another day, unless the test says otherwise. */
export function storedEvent(change: Partial<StoredEvent> = {}): StoredEvent {
  serial += 1;
  return {
    eventId: createHash('sha256').update(String(serial)).digest('hex'),
    eventType: 'NEW_NOTIFICATION',
    receivedOn: moments[0] ?? '',
    quarantineReason: 'UNKNOWN_EVENT_TYPE',
    expiresAt: nowInSeconds + 86_400,
    ...change,
  };
}

export const someStoredEvent = fc.record(fields).map(storedEvent);

export const someStoredEvents = fc.array(someStoredEvent, { maxLength: 12 });

const moment = fc.option(fc.constantFrom(...moments), { nil: undefined });

export const someFilters = fc
  .record({
    eventType: fc.option(fc.constantFrom(...eventTypes), { nil: undefined }),
    reason: fc.option(fc.constantFrom(...reasons), { nil: undefined }),
    receivedFrom: moment,
    receivedTo: moment,
  })
  .filter(({ receivedFrom = '0', receivedTo = '9' }) => receivedFrom <= receivedTo);

/** What the words of a filter mean, for an event that has not expired. */
export function isListed(event: StoredEvent, { eventType, reason, receivedFrom, receivedTo }: EventFilter): boolean {
  return (
    event.expiresAt > nowInSeconds &&
    (eventType === undefined || event.eventType === eventType) &&
    (reason === undefined || event.quarantineReason === reason) &&
    (receivedFrom === undefined || event.receivedOn >= receivedFrom) &&
    (receivedTo === undefined || event.receivedOn <= receivedTo)
  );
}

/** What no list may give away. */
export const bodyCanary = 'canary of a body';

export async function putEvents(
  { dynamodb, tableName }: Pick<Emulators, 'dynamodb' | 'tableName'>,
  events: readonly StoredEvent[],
): Promise<void> {
  for (const event of events) {
    const delivery = { ...event, deliveryId: 'delivery', deflatedBody: Buffer.from(bodyCanary) };
    const Item = newEventRow(event, delivery, event.expiresAt);
    await dynamodb.send(new PutItemCommand({ TableName: tableName, Item }));
  }
}

/** Leaves no other event in the table than these. */
export async function replaceEvents(
  { dynamodb, tableName: TableName }: Pick<Emulators, 'dynamodb' | 'tableName'>,
  events: readonly StoredEvent[],
): Promise<void> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName, ProjectionExpression: 'eventId' }));
  for (const Key of Items) await dynamodb.send(new DeleteItemCommand({ TableName, Key }));
  await putEvents({ dynamodb, tableName: TableName }, events);
}
