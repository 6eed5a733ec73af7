import * as z from 'zod/mini';
import { type BatchGet, wholeNumber } from '#shared/aws/dynamodb.ts';
import type { BatchQueue } from '#shared/aws/queue.ts';
import type { EventTypes } from '#shared/events/event.ts';
import { eventKeys, hasDelivery, isHandedOver, readItem } from '#shared/events/event-row.ts';
import type { CommitOutcome, EventStore } from '#shared/events/event-store.ts';
import { writeEventMessage } from '#shared/events/webhook-delivery.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { CommitEvent } from '#shared/persons/person-index.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import type { UndeliveredRecord } from '#shared/platform/resources/undelivered-webhooks.ts';
import {
  type RecognizeOwn,
  type RecordPiece,
  type RecordToDrain,
  readForeign,
  readRegisteredWebhook,
  readUndelivered,
} from './undelivered-record.ts';

/** What is stored of the deliveries of an event. */
export type KnownDeliveries = {
  readonly deliveryIds: readonly string[];
  /** The deliveries that the drain has handed over. */
  readonly handedOver: readonly string[];
  /** The newest handed-over delivery that the row does not list any more. */
  readonly handedOverUntil?: string | undefined;
};

/**
 * Reads what is stored of events, in one call for a page. Undefined if there is no such event, or its time is over.
 *
 * @throws when DynamoDB did not answer for each event
 */
export type ReadKnown = (eventIds: readonly string[]) => Promise<(eventId: string) => KnownDeliveries | undefined>;

/** The attributes that are read of an event: all that is needed, without the body. */
export const knownAttributes = [
  eventKeys.partition,
  eventKeys.timeToLive,
  'deliveryIds',
  'handedOver',
  'handedOverUntil',
];

const texts = z.object({ SS: z.array(z.string()) });
const knownItem = z.object({
  expiresAt: wholeNumber,
  deliveryIds: texts,
  handedOver: z.optional(texts),
  handedOverUntil: z.optional(z.object({ S: z.string() })),
});

export function createReadKnown({
  batchGet,
  tableName,
  now,
}: {
  readonly batchGet: BatchGet;
  readonly tableName: string;
  readonly now: () => Date;
}): ReadKnown {
  const keyOf = (eventId: string) => ({ tableName, key: { [eventKeys.partition]: { S: eventId } } });
  return async (eventIds) => {
    const itemOf = await batchGet(eventIds.map(keyOf));
    return (eventId) => {
      const item = itemOf(keyOf(eventId));
      if (item === undefined) return undefined;
      const { expiresAt, deliveryIds, handedOver, handedOverUntil } = readItem(knownItem, item);
      // TTL deletes days late: an expired row counts as absent.
      if (expiresAt <= now().getTime() / 1_000) return undefined;
      return { deliveryIds: deliveryIds.SS, handedOver: handedOver?.SS ?? [], handedOverUntil: handedOverUntil?.S };
    };
  };
}

type CommitRecordDeps = {
  readonly eventStore: Pick<EventStore, 'recordHandOver'>;
  readonly readKnown: ReadKnown;
  readonly commitEvent: CommitEvent;
  readonly queue: BatchQueue;
  readonly recognizeOwn: RecognizeOwn;
  readonly profile: EventTypes;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** Concurrent calls to the event store for a page. Those of all pages that are stored at the same time fit the SDK's 50 connections. */
const commitConcurrency = 16;

/**
 * Stores the records of a page: commits each of our records to the event store, sends its event to the webhooks queue, and
 * records with the event that this delivery was handed over. It records that only after SQS has confirmed: after a crash in
 * between, the event is sent again, and none is lost. A delivery that is recorded is not sent again when it is listed again.
 * Nothing of a record of another system is stored.
 *
 * @param known a createdOn that was listed before: a record that is not newer is most likely committed already
 * @throws when a record may not be committed or handed over: the whole page must be stored again
 */
export type CommitRecord = (
  records: readonly UndeliveredRecord[],
  known: string | undefined,
) => Promise<readonly RecordToDrain[]>;

export function createCommitRecord(deps: CommitRecordDeps): CommitRecord {
  const { eventStore, readKnown, commitEvent, queue, recognizeOwn, log, metrics } = deps;

  async function read(record: UndeliveredRecord): Promise<RecordToDrain> {
    const webhook = readRegisteredWebhook(record);
    // No system can recognize a record without a URL: it is stored as ours, and blocks nothing.
    const isForeign = webhook !== undefined && !(await recognizeOwn(webhook));
    return isForeign ? readForeign(record, webhook, deps) : readUndelivered(record, deps);
  }

  /** Commits the delivery. @param known the row, if it counts the delivery already. @returns the delivery if it must still be handed over */
  async function commit(piece: RecordPiece, known: KnownDeliveries | undefined): Promise<RecordPiece | undefined> {
    const { event, delivery, names } = piece;
    // A handed-over event has its effect once: an event leaves quarantine with its effect, or by a replay.
    const outcome = known ? 'repeated' : (await commitEvent(event, delivery, names, { keepsQuarantine: true })).outcome;
    count(event, outcome);
    if (outcome !== 'repeated') return piece;
    const row = known ?? (await readAll([piece]))(piece);
    const isDone = row !== undefined && isHandedOver(row, delivery);
    return isDone ? undefined : piece;
  }

  /** Reads the rows of the events in one call. The result is undefined for a delivery that its row does not count. */
  async function readAll(pieces: readonly RecordPiece[]) {
    const knownOf = await readKnown(pieces.map(({ event }) => event.eventId));
    return ({ event, delivery }: RecordPiece) => {
      const row = knownOf(event.eventId);
      // A handed-over delivery is known, even if the row does not list it any more.
      const isKnown = row !== undefined && (hasDelivery(row.deliveryIds, delivery) || isHandedOver(row, delivery));
      return isKnown ? row : undefined;
    };
  }

  function count({ quarantineReason }: RecordPiece['event'], outcome: CommitOutcome): void {
    if (outcome !== 'repeated') metrics.count('UndeliveredDrained');
    if (outcome === 'stored' && quarantineReason !== undefined) metrics.count('UndeliveredQuarantined');
  }

  async function handOver(pieces: readonly RecordPiece[]): Promise<void> {
    const byMessage = Map.groupBy(pieces, ({ event }) => writeEventMessage(event.eventId));
    const confirmed: RecordPiece[][] = [];
    try {
      await queue.sendAll([...byMessage.keys()], (texts) =>
        confirmed.push(...texts.map((text) => byMessage.get(text) ?? [])),
      );
    } finally {
      // Also if SQS refuses other messages of the page: otherwise each run sends these again.
      await mapConcurrent(confirmed, commitConcurrency, recordHandOver);
    }
  }

  /** Records the hand-over of deliveries of one event. */
  async function recordHandOver(some: readonly RecordPiece[]): Promise<void> {
    const [first] = some;
    if (first === undefined) return;
    const { eventId } = first.event;
    log.info('undelivered event handed over', { eventId });
    await eventStore.recordHandOver(
      eventId,
      some.map(({ delivery }) => delivery),
    );
  }

  /** By delivery: the page that is being stored and has it. */
  const underWay = new Map<string, Promise<void>>();

  return async (records, known) => {
    const undelivered = await Array.fromAsync(records, read);
    const ids = undelivered.flatMap(({ pieces }) => pieces.map(({ delivery }) => delivery.deliveryId));
    // A record that moves to the next page is handed over once: the later page waits for the earlier one.
    const before = ids.flatMap((id) => underWay.get(id) ?? []);
    const storing = Promise.allSettled(before).then(() => store(undelivered, known));
    for (const id of ids) underWay.set(id, storing);
    try {
      await storing;
    } finally {
      for (const id of ids) if (underWay.get(id) === storing) underWay.delete(id);
    }
    metrics.count('UndeliveredFound', records.length);
    return undelivered;
  };

  async function store(undelivered: readonly RecordToDrain[], known: string | undefined): Promise<void> {
    const pieces = undelivered.flatMap((one) =>
      one.pieces.map((piece) => ({ piece, isExpected: isExpected(one, known) })),
    );
    // One read for all of them. A commit of each would first try a write that cannot succeed.
    const expected = pieces.filter((one) => one.isExpected).map(({ piece }) => piece);
    const knownOf = await readAll(expected);
    const left = await mapConcurrent(pieces, commitConcurrency, ({ piece, isExpected: isRead }) =>
      commit(piece, isRead ? knownOf(piece) : undefined),
    );
    await handOver(left.filter((piece) => piece !== undefined));
  }
}

/** A record without a time may be committed or not. Its delivery would get another time at each run, so its row is read first. */
function isExpected({ createdOn }: RecordToDrain, known: string | undefined): boolean {
  return createdOn === undefined || (known !== undefined && compareTimestamps(createdOn, known) <= 0);
}
