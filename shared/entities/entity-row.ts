import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createRowReader, type Item, wholeNumber } from '#shared/aws/dynamodb.ts';
import { laneNames, laneOf } from '#shared/aws/list/lanes.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { openEnum } from '#shared/platform/fields/received.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { type EntityState, entityState, laterTime } from './merge/entity-state.ts';
import { change, type EntityView, effects } from './merge/entity-view.ts';
import type { EntityRules } from './statuses/entity-rules.ts';

/**
 * The parts of the index of due entities, each with an order and a pace of its own:
 * - `marked`: entities that must be read back, since a report left the status open;
 * - `open`: entities that expect a report and can be read from the platform;
 * - `order`: orders that expect a report, which no operation of the platform reads;
 * - `stale`: entities of `open` that were read for long enough, and had no report.
 */
export const dueLanes = ['marked', 'open', 'order', 'stale'] as const;

export type DueLane = (typeof dueLanes)[number];

/**
 * Where an entity is in the index. `since` orders a lane: when the last report came, or from when on an entity that was asked for
 * counts as silent. No setting is in it: `reconcile` adds its hours when it asks.
 */
export type DuePlace = { readonly lane: DueLane; readonly since: string };

/** An event of an entity, of which the time of its receipt counts. */
type Received = { readonly receivedOn: string };

/** In milliseconds. Reports within a quarter of an hour leave the key as it is: an order that is filled at once takes half the writes of the index. */
const precision = 15 * 60_000;

/** A time as the index has it: ISO 8601, UTC, not later than the time itself, so that no entity is asked for late. */
export function dueTime(time: number): string {
  return new Date(Math.floor(time / precision) * precision).toISOString();
}

const laneOfKind = {
  'natural-person': 'open',
  'identification-verification': 'open',
  order: 'order',
  transfer: 'open',
} as const satisfies Record<EntityKind, DueLane>;

/** The place of an entity after a report; undefined if no further report is expected. */
export function duePlaceOf(
  rules: EntityRules,
  { status, toReadBack, openReportOn }: Pick<EntityView, 'status' | 'toReadBack' | 'openReportOn'>,
  latest: readonly Received[],
): DuePlace | undefined {
  const since = (toReadBack ? openReportOn : undefined) ?? lastReportOn(latest);
  if (since === undefined || !(toReadBack || expectsReport(rules, status))) return undefined;
  return { lane: toReadBack ? 'marked' : laneOfKind[rules.kind], since: dueTime(Date.parse(since)) };
}

/**
 * Whether another report about an entity of this status is expected within some time. Not for a word that the tables of section 3
 * do not have: that word could be final, such as the word for a verification that has failed.
 */
export function expectsReport({ statuses }: EntityRules, status: string | undefined): boolean {
  if (status === undefined) return true;
  return statuses.isKnown(status) && !statuses.isFinal(status) && !statuses.isResting(status);
}

/** Whether no further report about an entity of this status can come. */
export function isOver({ statuses }: EntityRules, status: string | undefined): boolean {
  return status !== undefined && statuses.isKnown(status) && statuses.isFinal(status);
}

/** When the last report came, of an entity's latest events. */
export function lastReportOn(latest: readonly Received[]): string | undefined {
  return latest.reduce<string | undefined>((last, { receivedOn }) => laterTime(last, receivedOn), undefined);
}

/** The keys of the entities table and of its index: the stacks create them, the entity store uses them. */
export const entityKeys = {
  /** The kind and the id: no key takes more than one entity's share. */
  partition: 'entity',
  /** `state`, or an event of the timeline. */
  sort: 'item',
  /** Holds the entities that expect a report, or are to be read back: they are found without reading the table. */
  due: { index: 'due', partition: 'dueLane', sort: 'dueSince' },
  /** As 0.2.0 has it, for a rollback: the marked entities. The next minor release deletes the index. */
  readBack: { index: 'toReadBack', partition: 'readBackShard', sort: 'toReadBackSince' },
  /** Holds the entities that are not erased if the setting `listEntities` asks for it, by kind and status. */
  listed: { index: 'listed', partition: 'listLane', sort: 'changedOn', holds: ['shownStatus'] },
} as const;

/** Every shard of an index, so that no partition takes it all. */
export const entityShards = [...'0123456789abcdef'];

export const entityKey = z.object({ kind: z.enum(entityKinds), id: z.string() });

/** Names an entity. */
export type EntityKey = Readonly<z.output<typeof entityKey>>;

/** The name of an entity, which no other entity has, of any kind. */
export function entityName({ kind, id }: EntityKey): string {
  return `${kind}#${id}`;
}

/** What an event reported about an entity, and its effect. */
export const timelineEntry = z.object({
  eventId: z.string(),
  /** When the delivery arrived by which it had its effect. */
  receivedOn: timestamp,
  status: z.optional(z.string()),
  /** The platform's time. */
  modifiedOn: z.optional(timestamp),
  notificationType: z.optional(z.string()),
  errorType: z.optional(z.string()),
  /** Codes of the platform that say why. */
  reasonCodes: z.optional(z.readonly(z.array(z.string()))),
  /** When it was read back, of what the platform was asked for. */
  readOn: z.optional(timestamp),
  /** May be a word of a later release. */
  effect: openEnum(effects),
  /** What it changed of what is shown. */
  change: z.optional(change),
});

export type TimelineEntry = Readonly<z.output<typeof timelineEntry>>;

/** An entity as the entities table keeps it. */
export type EntityRow =
  | {
      readonly version: number;
      readonly known: EntityState;
      readonly latest: readonly TimelineEntry[];
      /** When the status that is shown changed last; undefined if the environment keeps no list. ISO 8601, UTC. */
      readonly changedOn?: string | undefined;
      /** As it was read. A save computes it again. */
      readonly due?: DuePlace | undefined;
    }
  | { readonly version: number; readonly erasedOn: string };

const { read, readJson, readDeflated } = createRowReader(
  (fields) =>
    new DrawbridgeError(
      'EntityRowError',
      `A row of the entities table cannot be read: ${fields.join(', ')}. Find out what wrote it.`,
    ),
);

const stateItem = z.object({
  version: wholeNumber,
  known: z.object({ S: z.string() }),
  latest: z.object({ B: z.instanceof(Uint8Array) }),
  changedOn: z.optional(z.object({ S: timestamp })),
  dueLane: z.optional(z.object({ S: z.string() })),
  dueSince: z.optional(z.object({ S: timestamp })),
});
const tombstone = z.object({ version: wholeNumber, erasedOn: z.object({ S: timestamp }) });
const latestEvents = z.array(timelineEntry);
const eventItem = z.object({ entry: z.object({ S: z.string() }) });

export const stateKey = 'state';

/** What the key of each event of a timeline begins with. */
const eventPrefix = 'event#';

export function keyOfState(key: EntityKey) {
  return { [entityKeys.partition]: { S: entityName(key) }, [entityKeys.sort]: { S: stateKey } };
}

export function keyOfEvent(key: EntityKey, eventId: string) {
  return { ...keyOfState(key), [entityKeys.sort]: { S: `${eventPrefix}${eventId}` } };
}

/** @throws `EntityRowError` when it is not a key of the table */
export function readKey(item: Item): EntityKey {
  const [, kind, id] = /^([^#]*)#(.*)$/s.exec(item[entityKeys.partition]?.S ?? '') ?? [];
  return read(entityKey, { kind, id });
}

export function isState(item: Item): boolean {
  return item[entityKeys.sort]?.S === stateKey;
}

/**
 * The state of an entity with its latest events. The events are deflated, since ids and times repeat: so an entity of usual
 * life is written with one write unit.
 */
export function writeState(
  key: EntityKey,
  row: Extract<EntityRow, { known: EntityState }>,
  { toReadBack, openReportOn, modifiedOn }: Pick<EntityView, 'toReadBack' | 'openReportOn' | 'modifiedOn'>,
  { listed, due }: { readonly listed?: ListPlace | undefined; readonly due?: DuePlace | undefined } = {},
): Record<string, AttributeValue> {
  const since = openReportOn ?? modifiedOn;
  return {
    ...keyOfState(key),
    version: { N: String(row.version) },
    known: { S: JSON.stringify(row.known) },
    latest: { B: deflateRawSync(JSON.stringify(row.latest)) },
    ...(toReadBack &&
      since !== undefined && {
        [entityKeys.readBack.partition]: { S: shardOf(key) },
        [entityKeys.readBack.sort]: { S: since },
      }),
    ...(due && writeDuePlace(key, due)),
    ...(listed && writePlace(key, listed)),
  };
}

/** The keys by which an entity is due. */
export function writeDuePlace(key: EntityKey, { lane, since }: DuePlace) {
  const { partition, sort } = entityKeys.due;
  return { [partition]: { S: dueLaneOf(lane, shardOf(key)) }, [sort]: { S: since } };
}

/** A partition of the index of due entities. */
export function dueLaneOf(lane: DueLane, shard: string): string {
  return `${lane}#${shard}`;
}

/** Where an entity is in its list. */
export type ListPlace = {
  /** The status that is shown. */
  readonly status: string | undefined;
  /** Whether the status table has the status: others share partitions. */
  readonly isKnown: boolean;
  /** When the status changed last. ISO 8601, UTC, with milliseconds. */
  readonly changedOn: string;
  /** Over which the entities of a status are spread. */
  readonly lanes: number;
};

/** Stand for every status that the table does not have, and for no status. No status of the platform is in lower case. */
const [unknownStatus, noStatus] = ['other', 'none'];

function writePlace(key: EntityKey, { status, isKnown, changedOn, lanes }: ListPlace): Record<string, AttributeValue> {
  const group = status === undefined ? noStatus : (isKnown && status) || unknownStatus;
  const { partition, sort } = entityKeys.listed;
  return {
    [partition]: { S: `${key.kind}#${group}#${laneOf(digestOf(key), lanes)}` },
    [sort]: { S: changedOn },
    ...(status !== undefined && { shownStatus: { S: status } }),
  };
}

/**
 * The partitions that hold the entities of a kind with a status, or all of the kind. An entity whose status the table did not
 * have when it was written is among the others.
 */
export function listLanesOf(
  kind: EntityKind,
  status: string | undefined,
  { statuses, lanes }: { readonly statuses: readonly string[]; readonly lanes: number },
) {
  const groups = status === undefined ? [...statuses, unknownStatus, noStatus] : [status, unknownStatus];
  return groups.flatMap((group) => laneNames(lanes).map((lane) => `${kind}#${group}#${lane}`));
}

/** An entity as a list shows it. */
export type ListedEntity = EntityKey & { readonly status: string | undefined; readonly changedOn: string };

const listedItem = z.object({
  changedOn: z.object({ S: timestamp }),
  shownStatus: z.optional(z.object({ S: z.string() })),
});

/** Reads an item of the index of the list. @throws `EntityRowError` */
export function readListedEntity(item: Item): ListedEntity {
  const { changedOn, shownStatus } = read(listedItem, item);
  return { ...readKey(item), status: shownStatus?.S, changedOn: changedOn.S };
}

/** The part of an index of entities in which an entity is. */
function shardOf(key: EntityKey): string {
  return digestOf(key).slice(0, 1);
}

function digestOf(key: EntityKey): string {
  return createHash('sha256').update(entityName(key)).digest('hex');
}

/** What stays of an erased entity, so that nothing late brings it back. */
export function writeTombstone(key: EntityKey, erased: { readonly version: number; readonly erasedOn: string }) {
  return { ...keyOfState(key), version: { N: String(erased.version) }, erasedOn: { S: erased.erasedOn } };
}

export function writeEvent(key: EntityKey, entry: TimelineEntry): Record<string, AttributeValue> {
  return { ...keyOfEvent(key, entry.eventId), entry: { S: JSON.stringify(entry) } };
}

/** @throws `EntityRowError` when the item is not what {@link writeState} or {@link writeTombstone} writes */
export function readState(item: Item): EntityRow {
  if (item['erasedOn'] !== undefined) {
    const { version, erasedOn } = read(tombstone, item);
    return { version, erasedOn: erasedOn.S };
  }
  const { version, known, latest, changedOn, dueLane, dueSince } = read(stateItem, item);
  const lane = dueLanes.find((one) => dueLane?.S.startsWith(`${one}#`));
  return {
    version,
    changedOn: changedOn?.S,
    due: lane && dueSince && { lane, since: dueSince.S },
    known: readJson(entityState, 'known', known.S),
    latest: readDeflated(latestEvents, 'latest', latest.B),
  };
}

/** @throws `EntityRowError` when the item is not what {@link writeEvent} writes */
export function readEvent(item: Item): TimelineEntry {
  const { entry } = read(eventItem, item);
  return readJson(timelineEntry, 'entry', entry.S);
}
