import { nextVersion } from '#shared/aws/dynamodb.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import type { EntityKey, EntityRow, TimelineEntry } from './entity-row.ts';
import {
  type EntityState,
  emptyEntityState,
  entityStateOf,
  isSameEntityState,
  mergeEntityStates,
  type ReceivedReport,
} from './merge/entity-state.ts';
import { type Change, type Effect, type Evaluation, evaluate, viewOf } from './merge/entity-view.ts';
import type { EntityRules } from './statuses/entity-rules.ts';

/** An event that speaks of an entity. */
export type EntityEvent = EntityKey & ReceivedReport & { readonly eventId: string };

/** An entity that is not erased. */
export type LiveRow = Extract<EntityRow, { readonly known: EntityState }>;

/** Whether the entity is erased: only a tombstone is left of it. */
export function isErased(row: EntityRow | undefined): row is Exclude<EntityRow, LiveRow> {
  return row !== undefined && 'erasedOn' in row;
}

/** An event, and what it did to its entity before: undefined if it is not in the timeline outside of the state. */
export type EventToMerge = { readonly event: EntityEvent; readonly earlier: TimelineEntry | undefined };

/** What an event did, and the entity with it. */
export type MergedEvent = {
  readonly effect: Effect;
  readonly change: Change | undefined;
  /** See {@link isUnshown}. The same each time that the event comes, as long as its change is the same. */
  readonly isUnshown: boolean;
  readonly row: LiveRow;
};

type Merge = Omit<MergedEvent, 'isUnshown'>;

/** What events do to their entity, and what is to be written for it. */
export type MergePlan = {
  /** What each event did. Each has its own change, as if it were the only one. */
  readonly merged: ReadonlyMap<EntityEvent, MergedEvent>;
  /** The state to write; undefined if the events change nothing of it. */
  readonly next: LiveRow | undefined;
  /** The events that the state loses: each has an item of its own before the state is written. */
  readonly moved: readonly TimelineEntry[];
  /** The events that change nothing: they go only to the timeline. */
  readonly added: readonly TimelineEntry[];
};

/**
 * How many of its events the state of an entity holds, so that an event and what it changed are one write. Beyond it, the
 * oldest of those that are stored moves to an item of its own. The events of one merge stay in the state, however many: when
 * the write of the state fails, an event outside of it would seem to be merged, with a change that never happened.
 */
const latestEvents = 8;

/**
 * Merges events into their entity, one after the other, to be written once. The earliest report comes first, so that each
 * status that the entity passed is a change of its own.
 *
 * @param before undefined if the entity is not known
 */
export function planMerge(
  rules: EntityRules,
  before: LiveRow | undefined,
  events: readonly EventToMerge[],
  now: () => Date,
): MergePlan {
  const [moved, added] = [new Map<string, TimelineEntry>(), new Map<string, TimelineEntry>()];
  const isStored = new Set(before?.latest);
  const time = now();
  const versionAfter = (from: LiveRow | undefined) => nextVersion(from?.version, time);
  let row = before;

  /** What this event did when it was merged before. */
  function findEarlier({ eventId }: EntityEvent, stored: TimelineEntry | undefined): TimelineEntry | undefined {
    const held = row?.latest.find((entry) => entry.eventId === eventId);
    return held ?? moved.get(eventId) ?? added.get(eventId) ?? stored;
  }

  /**
   * Its report is known; its repetition may be new. A receipt that is earlier than all others can change what is shown of
   * unknown statuses: then the event holds this change from now on, so that a crash before it is published loses nothing.
   */
  function repeat(event: EntityEvent, from: LiveRow, known: EntityState, earlier: TimelineEntry): Merge {
    const effect = 'duplicate' as const;
    if (isKnown(rules, from, known)) return { effect, change: earlier.change, row: from };
    const { change } = evaluate(rules, event, from.known, known, versionAfter(from));
    const others = from.latest.filter(({ eventId }) => eventId !== earlier.eventId);
    const latest = change === undefined ? from.latest : makeRoom([...others, { ...earlier, change }]);
    return { effect, change: change ?? earlier.change, row: follow(from, known, latest) };
  }

  function add(event: EntityEvent, from: LiveRow | undefined, known: EntityState): Merge {
    const judgement = evaluate(rules, event, from?.known, known, versionAfter(from));
    const entry = toEntry(event, judgement);
    if (from && isKnown(rules, from, known)) {
      added.set(event.eventId, entry);
      return { ...judgement, row: from };
    }
    return { ...judgement, row: follow(from, known, makeRoom([...(from?.latest ?? []), entry])) };
  }

  function makeRoom(latest: readonly TimelineEntry[]): readonly TimelineEntry[] {
    const excess = Math.max(0, latest.length - latestEvents);
    const leaving = latest.filter((entry) => isStored.has(entry)).slice(0, excess);
    for (const entry of leaving) moved.set(entry.eventId, entry);
    return latest.filter((entry) => !leaving.includes(entry));
  }

  /** Its place in the list changes only with its status, so that entries of the index move rarely. */
  function follow(from: LiveRow | undefined, known: EntityState, latest: readonly TimelineEntry[]): LiveRow {
    const isSame = from !== undefined && viewOf(rules, from.known).status === viewOf(rules, known).status;
    const changedOn = (isSame ? from.changedOn : undefined) ?? time.toISOString();
    return { version: versionAfter(from), known, latest, changedOn };
  }

  const merged = new Map<EntityEvent, MergedEvent>();
  for (const { event, earlier: stored } of events.toSorted(compareReports)) {
    const known = mergeEntityStates(rules, row?.known ?? emptyEntityState, entityStateOf(rules, event));
    const earlier = row && findEarlier(event, stored);
    const result = row && earlier ? repeat(event, row, known, earlier) : add(event, row, known);
    const { effect } = earlier ?? result;
    merged.set(event, { ...result, isUnshown: isUnshown(event, { effect, change: result.change }) });
    row = result.row;
  }
  return {
    merged,
    next: row === before ? undefined : row,
    moved: [...moved.values()],
    added: [...added.values()],
  };
}

/**
 * Whether the report states a status that its event never showed: a newer one was known, or the status was left open.
 *
 * @param first what the event did when it came first
 */
function isUnshown({ report }: EntityEvent, { effect, change }: Pick<TimelineEntry, 'effect' | 'change'>): boolean {
  return report.status !== undefined && effect !== 'duplicate' && change?.status !== report.status;
}

/** By the platform's time, if the report has one. The order decides which changes are published, not the state. */
function compareReports({ event: one }: EventToMerge, { event: other }: EventToMerge): number {
  return compareTimestamps(one.report.modifiedOn ?? one.receivedOn, other.report.modifiedOn ?? other.receivedOn);
}

/** Whether the row says it already. What an older release wrote is brought into the form of this one first. */
function isKnown(rules: EntityRules, row: LiveRow, known: EntityState): boolean {
  return isSameEntityState(mergeEntityStates(rules, row.known, emptyEntityState), known);
}

function toEntry({ eventId, receivedOn, report, readBack }: EntityEvent, judgement: Evaluation): TimelineEntry {
  const { hasValidationError: _, ...reported } = report;
  return { eventId, receivedOn, ...reported, ...(readBack && { readOn: readBack.readOn }), ...judgement };
}
