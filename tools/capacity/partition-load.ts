import { createHash } from 'node:crypto';
import type { Item } from '#shared/aws/dynamodb.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { entityKeys, writeState } from '#shared/entities/entity-row.ts';
import { emptyEntityState } from '#shared/entities/merge/entity-state.ts';
import { eventKeys, newEventRow } from '#shared/events/event-row.ts';
import { dueShard } from '#shared/onboarding/onboarding-keys.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';

/** Write units a second that one partition of DynamoDB takes. */
export const maxUnitsPerPartition = 1_000;

export type PartitionLoad = {
  /** With the number of webhooks, or of saves. */
  readonly load: string;
  readonly index: string;
  /** Partition keys. */
  readonly keys: number;
  /** Write units in one second: of all keys, and of the one with most. */
  readonly units: number;
  readonly most: number;
};

const receivedOn = '2026-01-01T00:00:00.000Z';
const idOf = (load: string, webhook: number) => createHash('sha256').update(`${load} ${webhook}`).digest('hex');

/**
 * Saves of onboardings in a second: `onboardingConcurrency` lets 10 batches of 5 onboardings run, and a save comes after a call to the
 * platform, of some 200 ms.
 */
const onboardingSaves = 250;

/** How the write units of a second of webhooks spread over the partition keys of each index. Every load is of one event type. */
export function partitionLoads(webhooks: number): readonly PartitionLoad[] {
  const ids = (load: string) => Array.from({ length: webhooks }, (_, webhook) => idOf(load, webhook));
  const event = (eventId: string, quarantineReason?: 'NOT_JSON') => {
    const named = { eventId, eventType: eventTypes[19], quarantineReason };
    const delivery = { ...named, deliveryId: '', receivedOn, deflatedBody: new Uint8Array() };
    return newEventRow(named, delivery, 1, { types: eventTypes, lanes: usualLanes });
  };
  const order = (id: string, status: string) => {
    const view = { toReadBack: false, openReportOn: undefined, modifiedOn: undefined };
    const due = { lane: 'order', since: receivedOn } as const;
    return writeState({ kind: 'order', id }, { version: 1, known: emptyEntityState, latest: [] }, view, {
      listed: { status, isKnown: true, changedOn: receivedOn, lanes: usualLanes },
      due,
    });
  };
  const markedPerson = (id: string) => {
    const view = { toReadBack: true, openReportOn: receivedOn, modifiedOn: undefined };
    return writeState({ kind: 'natural-person', id }, { version: 1, known: emptyEntityState, latest: [] }, view, {
      due: { lane: 'marked', since: receivedOn },
    });
  };
  const partitionIn = (name: string) => (item: Item) => item[name]?.S ?? '';
  const [lane, shard] = [partitionIn(eventKeys.listed.partition), partitionIn(eventKeys.quarantine.partition)];
  const received = partitionIn(eventKeys.received.partition);
  const entityLane = partitionIn(entityKeys.listed.partition);
  const dueLane = partitionIn(entityKeys.due.partition);
  const named = (load: string) => `${webhooks.toLocaleString('en-US')} ${load}`;
  return [
    // An entry is put.
    summarize(
      named('new webhooks of one type'),
      'events.listed',
      ids('a').map((id) => lane(event(id))),
    ),
    summarize(
      named('new webhooks of all types'),
      'events.received',
      ids('f').map((id) => received(event(id))),
    ),
    summarize(
      named('malformed webhooks of one type'),
      'events.quarantined',
      ids('b').map((id) => shard(event(id, 'NOT_JSON'))),
    ),
    summarize(
      named('new orders, all PENDING'),
      'entities.listed',
      ids('c').map((id) => entityLane(order(id, 'PENDING'))),
    ),
    summarize(
      named('new orders that expect a report'),
      'entities.due',
      ids('f').map((id) => dueLane(order(id, 'PENDING'))),
    ),
    // The entry of the former status is deleted, and that of the next one put.
    summarize(
      named('orders from PENDING to FILLED'),
      'entities.listed',
      ids('d').flatMap((id) => ['PENDING', 'FILLED'].map((status) => entityLane(order(id, status)))),
    ),
    // Each of a million persons gets a webhook without a time.
    summarize(
      named('persons to be read back'),
      'entities.due',
      ids('e').map((id) => dueLane(markedPerson(id))),
    ),
    // The entry of the former time is deleted, and that of the next one put.
    summarize(
      `${onboardingSaves} saves of onboardings`,
      'onboardings.due',
      Array.from({ length: 2 * onboardingSaves }, () => dueShard),
    ),
  ];
}

function summarize(load: string, index: string, writes: readonly string[]): PartitionLoad {
  const counts = new Map<string, number>();
  for (const partition of writes) counts.set(partition, (counts.get(partition) ?? 0) + 1);
  return { load, index, keys: counts.size, units: writes.length, most: Math.max(...counts.values()) };
}
