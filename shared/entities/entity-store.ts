import { ConflictError, createBatchGet, retryOnConflict } from '#shared/aws/dynamodb.ts';
import { type BackOff, pauseMs } from '#shared/platform/client/retry-policy.ts';
import {
  duePlaceOf,
  type EntityKey,
  type EntityRow,
  entityName,
  type ListPlace,
  type TimelineEntry,
  writeState,
  writeTombstone,
} from './entity-row.ts';
import { createEntityTable, type EntityTable, type EntityTableDeps } from './entity-table.ts';
import { compareTimes } from './merge/entity-state.ts';
import { type Change, type Effect, type EntityView, viewOf } from './merge/entity-view.ts';
import { type EntityEvent, type EventToMerge, isErased, type LiveRow, planMerge } from './plan-merge.ts';
import type { RulesByKind } from './statuses/entity-rules.ts';
import { compareTexts } from './statuses/status-table.ts';

/** The entities of some events, as they were read. Each function throws what could not be read. */
export type EntitiesRead = {
  readonly rowOf: (key: EntityKey) => EntityRow | undefined;
  /** What an event did when it was merged before, if only the timeline outside of the state says it. */
  readonly earlierOf: (event: EntityEvent) => TimelineEntry | undefined;
};

/** Reads the entities that events speak of: one call for the states, and one for the events that no state holds. */
export async function readEntities(
  table: Pick<EntityTable, 'loadStates' | 'loadEvents'>,
  events: readonly EntityEvent[],
): Promise<EntitiesRead> {
  const rowOf = await table.loadStates(events);
  const outside = events.filter((event) => isOutside(event, rowOf));
  const entryOf = await table.loadEvents(outside);
  const isRead = new Set(outside);
  return { rowOf, earlierOf: (event) => (isRead.has(event) ? entryOf(event) : undefined) };
}

/** Whether an event may be in the timeline outside of the state. */
function isOutside(event: EntityEvent, rowOf: EntitiesRead['rowOf']): boolean {
  try {
    const row = rowOf(event);
    return row !== undefined && !isErased(row) && !row.latest.some(({ eventId }) => eventId === event.eventId);
  } catch {
    // Thrown again to those who ask for this entity.
    return false;
  }
}

/** The answer to one of several requests that were made together. Rejects if this request failed, by itself or with all. */
export type AnswerOf<Request, Answer> = (request: Request) => Answer | Promise<Answer>;

/** Makes several requests together. @throws when all of them failed */
export type BatchCall<Request, Answer> = (requests: readonly Request[]) => Promise<AnswerOf<Request, Answer>>;

/**
 * Works on groups of requests concurrently. The requests of a group succeed or fail together, and wait for no other group.
 *
 * @param groupOf names the group of a request
 * @param work gives the answer to each request of a group
 */
async function answerByGroup<Request, Answer extends object>(
  requests: readonly Request[],
  groupOf: (request: Request) => string,
  work: (group: readonly Request[]) => Promise<ReadonlyMap<Request, Answer>>,
): Promise<AnswerOf<Request, Answer>> {
  const works = [...Map.groupBy(requests, groupOf)].map(([name, group]) => [name, work(group)] as const);
  const byGroup = new Map(works);
  // An unhandled rejection would end the process.
  for (const [, working] of works) working.catch(() => undefined);
  return async (request) => {
    const answer = (await byGroup.get(groupOf(request)))?.get(request);
    if (answer === undefined) throw new RangeError('The request is not among those that were made.');
    return answer;
  };
}

/** An entity as it is known. Its version grows with each write. */
export type Entity = EntityKey & EntityView & { readonly version: number };

export type Applied =
  | {
      readonly effect: Effect;
      /**
       * What this event changed of what is shown, now or when it was applied before: to be published. A retry after a crash
       * and a duplicate delivery cannot be distinguished here, so a change may be published again: consumers deduplicate by entity and version.
       */
      readonly change: Change | undefined;
      /** Whether the event states a status that none of its changes shows. The same when it comes again. */
      readonly isUnshown: boolean;
      readonly entity: Entity;
    }
  /** The entity is erased: nothing was kept of the event. */
  | {
      readonly effect: 'erased';
      readonly change: undefined;
      readonly isUnshown: false;
      readonly entity: undefined;
    };

export type EntityStore = {
  /**
   * Merges what an event says into its entity. Can be repeated after a crash at any point.
   *
   * @throws {ConflictError} when other writers changed the entity before each attempt could save
   */
  readonly apply: (event: EntityEvent) => Promise<Applied>;
  /**
   * Merges what several events say into their entities: each entity is read and written once. Can be repeated.
   *
   * @throws when the entities could not be read. The answer to an event throws if its entity was not written.
   */
  readonly applyAll: BatchCall<EntityEvent, Applied>;
  /** The entity as it is now; undefined if there is none, or if it is erased. */
  readonly read: (key: EntityKey) => Promise<Entity | undefined>;
  /** Whether it is erased, which `read` does not distinguish from an unknown entity. */
  readonly isErased: (key: EntityKey) => Promise<boolean>;
  /** Every event that spoke of the entity, by the time of its receipt; none if there is none, or if it is erased. */
  readonly timeline: (key: EntityKey) => Promise<readonly TimelineEntry[]>;
  /**
   * Deletes all that is known of the entity, permanently: later events do not bring it back. Can be repeated, after a crash at
   * any point.
   *
   * @param eraseEvents erases what is kept elsewhere of the events about it; called with each before it is forgotten here
   */
  readonly erase: (key: EntityKey, eraseEvents: EraseEvents) => Promise<void>;
};

/** Can be repeated. */
export type EraseEvents = (eventIds: readonly string[]) => Promise<void>;

export type EntityStoreDeps = Omit<EntityTableDeps, 'batchGet'> & {
  readonly rules: RulesByKind;
  /** The lanes of the list of entities of one status; undefined if no list is kept. */
  readonly listLanes?: number | undefined;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** Enough, as a rule, for 50 concurrent reports about one entity. What does not get through is redelivered. */
const maxAttempts = 12;

const backOff: BackOff = { firstMs: 20, maxMs: 1_000 };

const erased: Applied = { effect: 'erased', change: undefined, isUnshown: false, entity: undefined };

export function createEntityStore({ rules, listLanes, now, random, wait, ...deps }: EntityStoreDeps): EntityStore {
  const table = createEntityTable({ ...deps, batchGet: createBatchGet({ dynamodb: deps.dynamodb, random, wait }) });
  const retries = { maxAttempts, pause: (count: number) => wait(random() * pauseMs(backOff, count)) };

  async function applyAll(events: readonly EntityEvent[]): Promise<AnswerOf<EntityEvent, Applied>> {
    const firstRead = await readEntities(table, events);
    return answerByGroup(events, entityName, (ofEntity) => applyToEntity(ofEntity, firstRead));
  }

  /** All events are about one entity. */
  async function applyToEntity(events: readonly EntityEvent[], firstRead: EntitiesRead) {
    let fresh: EntitiesRead | undefined = firstRead;
    return retryOnConflict(retries, async () => {
      const { rowOf, earlierOf } = fresh ?? (await readEntities(table, events));
      fresh = undefined;
      const [key] = events;
      if (key === undefined) return new Map<EntityEvent, Applied>();
      const row = rowOf(key);
      if (isErased(row)) return forget(key, events);
      return merge(
        key,
        row,
        events.map((event) => ({ event, earlier: earlierOf(event) })),
      );
    });
  }

  async function merge(key: EntityKey, row: LiveRow | undefined, events: readonly EventToMerge[]) {
    const { merged, next, moved, added } = planMerge(rules[key.kind], row, events, now);
    // Before the state loses an event, the event has an item of its own: a crash in between leaves both, which are the same.
    for (const entry of moved) await table.moveEvent(key, entry);
    if (next !== undefined) await save(key, next, row?.version ?? 0);
    if (!(await addToTimeline(key, added))) throw conflict();
    return new Map<EntityEvent, Applied>(
      [...merged].map(([event, { row: after, ...did }]) => [event, { ...did, entity: toEntity(key, after) }]),
    );
  }

  function toEntity({ kind, id }: EntityKey, { version, known }: LiveRow): Entity {
    return { kind, id, version, ...viewOf(rules[kind], known) };
  }

  /** An event that changes nothing writes no state. So the entity is read again afterwards: it may have been erased meanwhile. */
  async function addToTimeline(key: EntityKey, entries: readonly TimelineEntry[]): Promise<boolean> {
    for (const entry of entries) if (!(await table.addEvent(key, entry))) return false;
    return entries.length === 0 || !isErased((await table.loadStates([key]))(key));
  }

  async function save(key: EntityKey, next: LiveRow, versionRead: number): Promise<void> {
    const view = viewOf(rules[key.kind], next.known);
    const listed = listLanes === undefined ? undefined : placeOf(key, view, next, listLanes);
    const item = writeState(key, next, view, { listed, due: duePlaceOf(rules[key.kind], view, next.latest) });
    if (!(await table.saveState(item, versionRead))) throw conflict();
  }

  function placeOf({ kind }: EntityKey, { status }: EntityView, { changedOn }: LiveRow, lanes: number): ListPlace {
    const isKnown = status !== undefined && rules[kind].statuses.isKnown(status);
    return { status, isKnown, changedOn: changedOn ?? now().toISOString(), lanes };
  }

  async function forget(key: EntityKey, events: readonly EntityEvent[]): Promise<ReadonlyMap<EntityEvent, Applied>> {
    await table.deleteEvents(key);
    return new Map(events.map((event) => [event, erased]));
  }

  async function read(key: EntityKey): Promise<Entity | undefined> {
    const row = await table.loadState(key);
    return row === undefined || isErased(row) ? undefined : toEntity(key, row);
  }

  async function timeline(key: EntityKey): Promise<readonly TimelineEntry[]> {
    const { state, events } = await table.loadAll(key);
    if (state === undefined || isErased(state)) return [];
    const entries = new Map([...events, ...state.latest].map((entry) => [entry.eventId, entry]));
    return [...entries.values()].toSorted(
      (one, other) => compareTimes(one.receivedOn, other.receivedOn) || compareTexts(one.eventId, other.eventId),
    );
  }

  async function erase(key: EntityKey, eraseEvents: EraseEvents): Promise<void> {
    const isDone = await retryOnConflict(retries, async () => {
      const { state: row, events } = await table.loadAll(key);
      // A repeated erasure of many entities passes over those that are erased.
      if (isErased(row)) return events.length === 0;
      await eraseEvents([...events, ...(row?.latest ?? [])].map(({ eventId }) => eventId));
      const version = row?.version ?? 0;
      const tombstone = writeTombstone(key, { version: version + 1, erasedOn: now().toISOString() });
      if (!(await table.saveState(tombstone, version))) throw conflict();
      return false;
    });
    if (isDone) return;
    // An event that changed nothing was added since, or a run before this one ended here.
    await eraseEvents((await table.loadAll(key)).events.map(({ eventId }) => eventId));
    await table.deleteEvents(key);
  }

  const apply = async (event: EntityEvent) => (await applyAll([event]))(event);

  return { apply, applyAll, read, isErased: async (key) => isErased(await table.loadState(key)), timeline, erase };
}

function conflict(): ConflictError {
  return new ConflictError('Other writers changed the entity before it could be saved: send the event again.');
}
