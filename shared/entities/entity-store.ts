import { ConflictError, retryOnConflict } from '#shared/aws/retry-on-conflict.ts';
import { type BackOff, pauseMs } from '#shared/platform/client/back-off.ts';
import {
  type EntityKey,
  type EntityRow,
  type ListPlace,
  type TimelineEntry,
  writeState,
  writeTombstone,
} from './entity-row.ts';
import { createEntityTable, type EntityTableDeps } from './entity-table.ts';
import { type Change, type Effect, type Evaluation, evaluate } from './merge/effect.ts';
import {
  type EntityState,
  emptyEntityState,
  entityStateOf,
  isSameEntityState,
  mergeEntityStates,
} from './merge/entity-state.ts';
import { type EntityView, viewOf } from './merge/entity-view.ts';
import { compareTimes } from './merge/report-times.ts';
import type { ReceivedReport } from './merge/status-report.ts';
import type { RulesByKind } from './statuses/entity-rules.ts';
import { compareTexts } from './statuses/status-table.ts';

/** An event that speaks of an entity. */
export type EntityEvent = EntityKey & ReceivedReport & { readonly eventId: string };

/** An entity as it is known, and how often it was written. */
export type Entity = EntityKey & EntityView & { readonly version: number };

export type Applied =
  | {
      readonly effect: Effect;
      /**
       * What this event changed of what is shown, now or when it was applied before: to be published. A retry after a crash
       * and a duplicate delivery look the same here, so a change may be published again: consumers tell by entity and version.
       */
      readonly change: Change | undefined;
      readonly entity: Entity;
    }
  /** The entity is erased: nothing was kept of the event. */
  | { readonly effect: 'erased'; readonly change: undefined; readonly entity: undefined };

export type EntityStore = {
  /**
   * Merges what an event says into its entity. Can be repeated after a crash at any point.
   *
   * @throws {ConflictError} when other writers changed the entity before each attempt could save
   */
  readonly apply: (event: EntityEvent) => Promise<Applied>;
  /** The entity as it is now; undefined where there is none, or where it is erased. */
  readonly read: (key: EntityKey) => Promise<Entity | undefined>;
  /** Whether it is erased, which `read` does not tell from one that was never known. */
  readonly isErased: (key: EntityKey) => Promise<boolean>;
  /** Every event that spoke of the entity, by the time of its receipt; none where there is none, or where it is erased. */
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

export type EntityStoreDeps = EntityTableDeps & {
  readonly rules: RulesByKind;
  /** Whether entities are listed by their status. Not unless given. */
  readonly isListed?: boolean;
  readonly now: () => Date;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Resolves after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
};

/** Enough, as a rule, for 50 concurrent reports about one entity. What does not get through is redelivered. */
const maxAttempts = 12;

const backOff: BackOff = { firstMs: 20, maxMs: 1_000 };

/**
 * How many of its events the state of an entity holds, so that an event and what it changed are one write. Beyond it, the
 * oldest moves to an item of its own.
 */
const latestEvents = 8;

type LiveRow = Extract<EntityRow, { readonly known: EntityState }>;

const erased: Applied = { effect: 'erased', change: undefined, entity: undefined };

export function createEntityStore({
  rules,
  isListed = false,
  now,
  random,
  wait,
  ...deps
}: EntityStoreDeps): EntityStore {
  const table = createEntityTable(deps);
  const retries = { maxAttempts, pause: (count: number) => wait(random() * pauseMs(backOff, count)) };

  async function apply(event: EntityEvent): Promise<Applied> {
    return retryOnConflict(retries, async () => {
      const row = await table.loadState(event);
      if (isErased(row)) return forget(event);
      const known = mergeEntityStates(
        rules[event.kind],
        row?.known ?? emptyEntityState,
        entityStateOf(rules[event.kind], event),
      );
      const earlier = row && (await findEarlier(event, row));
      return earlier ? repeat(event, row, known, earlier) : add(event, row, known);
    });
  }

  /** What this event did when it was applied before. */
  async function findEarlier(event: EntityEvent, { latest }: LiveRow): Promise<TimelineEntry | undefined> {
    return latest.find(({ eventId }) => eventId === event.eventId) ?? table.loadEvent(event, event.eventId);
  }

  /**
   * Its report is known; its repetition may be new. A receipt that is earlier than all others can change what is shown of
   * unknown statuses: then the event holds this change from now on, so that a crash before it is published loses nothing.
   */
  async function repeat(event: EntityEvent, row: LiveRow, known: EntityState, earlier: TimelineEntry) {
    const effect = 'duplicate' as const;
    if (isKnown(event, row, known)) return { effect, change: earlier.change, entity: toEntity(event, row) };
    const version = row.version + 1;
    const { change } = evaluate(rules[event.kind], event, row.known, known, version);
    const latest = change === undefined ? row.latest : await replaceEntry(event, row, { ...earlier, change });
    const next = { version, known, latest };
    await save(event, next, row);
    return { effect, change: change ?? earlier.change, entity: toEntity(event, next) };
  }

  async function replaceEntry(key: EntityKey, { latest }: LiveRow, entry: TimelineEntry) {
    const others = latest.filter(({ eventId }) => eventId !== entry.eventId);
    return makeRoom(key, [...others, entry]);
  }

  async function add(event: EntityEvent, row: LiveRow | undefined, known: EntityState): Promise<Applied> {
    const { version, latest } = row ?? { version: 0, latest: [] };
    const judgement = evaluate(rules[event.kind], event, row?.known, known, version + 1);
    const entry = toEntry(event, judgement);
    if (row && isKnown(event, row, known)) {
      if (!(await addToTimeline(event, entry))) throw conflict();
      return { ...judgement, entity: toEntity(event, row) };
    }
    const next = { version: version + 1, known, latest: await makeRoom(event, [...latest, entry]) };
    await save(event, next, row);
    return { ...judgement, entity: toEntity(event, next) };
  }

  /** Whether the row says it already. What an older release wrote is brought into the form of this one first. */
  function isKnown({ kind }: EntityKey, row: LiveRow, known: EntityState): boolean {
    return isSameEntityState(mergeEntityStates(rules[kind], row.known, emptyEntityState), known);
  }

  function toEntity({ kind, id }: EntityKey, { version, known }: LiveRow): Entity {
    return { kind, id, version, ...viewOf(rules[kind], known) };
  }

  /** Before the state loses an event, the event has an item of its own: a crash in between leaves both, which are the same. */
  async function makeRoom(key: EntityKey, [oldest, ...newer]: readonly TimelineEntry[]) {
    if (oldest === undefined) return newer;
    if (newer.length < latestEvents) return [oldest, ...newer];
    await table.moveEvent(key, oldest);
    return newer;
  }

  /** Of an event that changes nothing, the state is not written. So it reads the entity again afterwards: the entity may have been erased meanwhile. */
  async function addToTimeline(key: EntityKey, entry: TimelineEntry): Promise<boolean> {
    return (await table.addEvent(key, entry)) && !isErased(await table.loadState(key));
  }

  async function save(key: EntityKey, next: LiveRow, before: LiveRow | undefined): Promise<void> {
    const view = viewOf(rules[key.kind], next.known);
    const item = writeState(key, next, view, isListed ? placeOf(key, view, before) : undefined);
    if (!(await table.saveState(item, next.version - 1))) throw conflict();
  }

  /** Its place changes with its status alone: so an entry of the index is moved as rarely as can be. */
  function placeOf({ kind }: EntityKey, { status }: EntityView, before: LiveRow | undefined): ListPlace {
    const isSame = before !== undefined && viewOf(rules[kind], before.known).status === status;
    return {
      status,
      isKnown: status !== undefined && rules[kind].statuses.isKnown(status),
      changedOn: (isSame ? before.changedOn : undefined) ?? now().toISOString(),
    };
  }

  async function forget(key: EntityKey): Promise<Applied> {
    await table.deleteEvents(key);
    return erased;
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
    await retryOnConflict(retries, async () => {
      const { state: row, events } = await table.loadAll(key);
      if (isErased(row)) return;
      await eraseEvents([...events, ...(row?.latest ?? [])].map(({ eventId }) => eventId));
      const version = row?.version ?? 0;
      const tombstone = writeTombstone(key, { version: version + 1, erasedOn: now().toISOString() });
      if (!(await table.saveState(tombstone, version))) throw conflict();
    });
    // An event that changed nothing was added since, or a run before this one ended here.
    await eraseEvents((await table.loadAll(key)).events.map(({ eventId }) => eventId));
    await table.deleteEvents(key);
  }

  return { apply, read, isErased: async (key) => isErased(await table.loadState(key)), timeline, erase };
}

function conflict(): ConflictError {
  return new ConflictError('Other writers changed the entity before it could be saved: send the event again.');
}

function isErased(row: EntityRow | undefined): row is Exclude<EntityRow, LiveRow> {
  return row !== undefined && 'erasedOn' in row;
}

function toEntry({ eventId, receivedOn, report, readBack }: EntityEvent, judgement: Evaluation): TimelineEntry {
  const { hasValidationError: _, ...said } = report;
  return { eventId, receivedOn, ...said, ...(readBack && { readOn: readBack.readOn }), ...judgement };
}
