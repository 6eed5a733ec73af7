import * as z from 'zod/mini';
import type { BatchGet } from '#shared/aws/batch-get.ts';
import type { BatchQueue } from '#shared/aws/queue.ts';
import { wholeNumber } from '#shared/aws/row-reader.ts';
import type { EventTypes } from '#shared/events/event.ts';
import { eventKeys, hasDelivery, isHandedOver, readItem } from '#shared/events/event-row.ts';
import type { CommitOutcome, EventStore } from '#shared/events/event-store.ts';
import { writeEventMessage } from '#shared/events/webhook-delivery.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { CommitEvent } from '#shared/persons/connect-person-index.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import type { UndeliveredRecord } from '#shared/platform/resources/undelivered-webhooks.ts';
import {
  type Intake,
  type RecognizeOwn,
  readForeign,
  readRegisteredWebhook,
  readUndelivered,
  type Undelivered,
} from './undelivered-record.ts';

/** What is stored of the deliveries of an event. */
export type KnownDeliveries = {
  readonly deliveryIds: readonly string[];
  /** Those that the drain has handed over. */
  readonly handedOver: readonly string[];
  /** The newest of them that the event has forgotten. */
  readonly handedOverUntil?: string | undefined;
};

/**
 * Reads what is stored of events, in one call for a page. Undefined where there is no such event, or where its time is over.
 *
 * @throws when DynamoDB did not answer for each event
 */
export type ReadKnown = (eventIds: readonly string[]) => Promise<(eventId: string) => KnownDeliveries | undefined>;

export type ReadKnownDeps = {
  readonly batchGet: BatchGet;
  readonly tableName: string;
  readonly now: () => Date;
};

/** What is read of an event: not its body. */
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

export function createReadKnown({ batchGet, tableName, now }: ReadKnownDeps): ReadKnown {
  const keyOf = (eventId: string) => ({ tableName, key: { [eventKeys.partition]: { S: eventId } } });
  return async (eventIds) => {
    const itemOf = await batchGet(eventIds.map(keyOf));
    return (eventId) => {
      const item = itemOf(keyOf(eventId));
      if (item === undefined) return undefined;
      const { expiresAt, deliveryIds, handedOver, handedOverUntil } = readItem(knownItem, item);
      // TTL deletes days late: what has expired is as good as absent.
      if (expiresAt <= now().getTime() / 1_000) return undefined;
      return { deliveryIds: deliveryIds.SS, handedOver: handedOver?.SS ?? [], handedOverUntil: handedOverUntil?.S };
    };
  };
}

export type CommitRecordDeps = {
  readonly eventStore: Pick<EventStore, 'noteHandOver'>;
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
 * Stores the records of a page: commits each record of ours to the event store, hands its event to the webhooks queue,
 * and notes with the event that this delivery was handed over. The note is written once SQS has confirmed, so that nothing
 * can be committed and not handed over: after a crash in between the event is handed over again. A record that is listed
 * again after the note is handed over no more. Of a record of another system nothing is stored.
 *
 * @param known a createdOn that was listed before: what is not newer is most likely committed already
 * @throws when a record may not be committed, or not be handed over: the whole page is to be stored again
 */
export type CommitRecord = (
  records: readonly UndeliveredRecord[],
  known: string | undefined,
) => Promise<readonly Undelivered[]>;

export function createCommitRecord(deps: CommitRecordDeps): CommitRecord {
  const { eventStore, readKnown, commitEvent, queue, recognizeOwn, log, metrics } = deps;

  async function read(record: UndeliveredRecord): Promise<Undelivered> {
    const webhook = readRegisteredWebhook(record);
    // A record without a URL cannot be recognized by any system: it is kept as ours, and blocks nothing.
    const isForeign = webhook !== undefined && !(await recognizeOwn(webhook));
    return isForeign ? readForeign(record, webhook, deps) : readUndelivered(record, deps);
  }

  /** Commits the delivery. Gives it back where it is still to be handed over. @param known where it is counted already */
  async function take(intake: Intake, known: KnownDeliveries | undefined): Promise<Intake | undefined> {
    const { event, delivery, names } = intake;
    // What was handed over has its effect once: an event leaves quarantine with its effect, or with a replay.
    const outcome = known ? 'repeated' : (await commitEvent(event, delivery, names, { keepsJudgement: true })).outcome;
    count(event, outcome);
    if (outcome !== 'repeated') return intake;
    const row = known ?? (await readAll([intake]))(intake);
    const isDone = row !== undefined && isHandedOver(row, delivery);
    return isDone ? undefined : intake;
  }

  /** Reads the events of deliveries, as they are stored, in one call: undefined of one where this delivery is not counted. */
  async function readAll(intakes: readonly Intake[]) {
    const knownOf = await readKnown(intakes.map(({ event }) => event.eventId));
    return ({ event, delivery }: Intake) => {
      const row = knownOf(event.eventId);
      // What was handed over is known, also when the event remembers the delivery no more.
      const isKnown = row !== undefined && (hasDelivery(row.deliveryIds, delivery) || isHandedOver(row, delivery));
      return isKnown ? row : undefined;
    };
  }

  function count({ quarantineReason }: Intake['event'], outcome: CommitOutcome): void {
    if (outcome !== 'repeated') metrics.count('UndeliveredDrained');
    if (outcome === 'stored' && quarantineReason !== undefined) metrics.count('UndeliveredQuarantined');
  }

  async function handOver(intakes: readonly Intake[]): Promise<void> {
    const byMessage = Map.groupBy(intakes, ({ event }) => writeEventMessage(event.eventId));
    const confirmed: Intake[][] = [];
    try {
      await queue.sendAll([...byMessage.keys()], (texts) =>
        confirmed.push(...texts.map((text) => byMessage.get(text) ?? [])),
      );
    } finally {
      // Also when SQS refuses other messages of the page: otherwise each run hands these over again.
      await mapConcurrent(confirmed, commitConcurrency, note);
    }
  }

  /** Notes the hand-over of deliveries of one event. */
  async function note(some: readonly Intake[]): Promise<void> {
    const [first] = some;
    if (first === undefined) return;
    const { eventId } = first.event;
    log.info('undelivered event handed over', { eventId });
    await eventStore.noteHandOver(
      eventId,
      some.map(({ delivery }) => delivery),
    );
  }

  /** By delivery: the page that is being stored with it. */
  const underWay = new Map<string, Promise<void>>();

  return async (records, known) => {
    const undelivered = await Array.fromAsync(records, read);
    const ids = undelivered.flatMap(({ intakes }) => intakes.map(({ delivery }) => delivery.deliveryId));
    // A record that moves to the next page is handed over once: by the page that began with it.
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

  async function store(undelivered: readonly Undelivered[], known: string | undefined): Promise<void> {
    const intakes = undelivered.flatMap((one) =>
      one.intakes.map((intake) => ({ intake, isExpected: isExpected(one, known) })),
    );
    // One read for all of them, where a commit of each would first try a write that cannot succeed.
    const expected = intakes.filter((one) => one.isExpected).map(({ intake }) => intake);
    const knownOf = await readAll(expected);
    const left = await mapConcurrent(intakes, commitConcurrency, ({ intake, isExpected: isRead }) =>
      take(intake, isRead ? knownOf(intake) : undefined),
    );
    await handOver(left.filter((intake) => intake !== undefined));
  }
}

/** Of a record without a time it is not known: its delivery would get another name each time, so look first. */
function isExpected({ createdOn }: Undelivered, known: string | undefined): boolean {
  return createdOn === undefined || (known !== undefined && compareTimestamps(createdOn, known) <= 0);
}
