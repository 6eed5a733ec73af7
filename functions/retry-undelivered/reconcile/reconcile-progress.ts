import * as z from 'zod/mini';
import { type CountsByKind, countsByKind, type Gap, type GapCounts } from '#shared/bus/gap-report.ts';
import { listingStart } from '#shared/entities/entity-listing.ts';
import { readBackShards } from '#shared/entities/entity-row.ts';
import { compareTimes } from '#shared/entities/merge/report-times.ts';
import type { ReadBackAnswer } from '#shared/events/read-back.ts';
import { type CursorTrail, cursorTrail, trailhead } from '#shared/platform/client/cursor-trail.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/**
 * Where reconciliation is, and what it has found: pure, and kept in the checkpoint from run to run. A walk is over when it
 * has seen every person of the platform and every entity of ours, in any number of runs.
 */

const count = z.int().check(z.nonnegative());

const tally = {
  /** When the walk began. */
  beganOn: z.iso.datetime(),
  counts: countsByKind,
  /** Always 0: release 0.2.0 reads no checkpoint without it, as after a rollback. */
  onboardingsDue: count,
  /** When the last report came of the entity that has been waiting the longest. */
  oldestStale: z.optional(timestamp),
};

const walk = z.object({
  ...tally,
  /** First the platform's list of persons, then the verifications of onboardings, then the table of entities. */
  phase: z.enum(['persons', 'verifications', 'entities']),
  /** Of the page of persons that comes next; none for the first. */
  cursor: z.optional(z.string()),
  trail: cursorTrail,
  /** Where the walk through the verifications, or the table, continues. */
  start: z.optional(listingStart),
});

export type Walk = z.infer<typeof walk>;

/**
 * Where the pass over the entities that are to be read back is. Every run begins with one, however long a walk takes. It goes
 * through all shards, from the first or from where the last pass stopped, and ends before `end`.
 */
const pass = z.object({ shard: count, start: z.optional(listingStart), end: z._default(count, 0) });

type Pass = z.infer<typeof pass>;

export const reconcileProgress = z.object({
  pass: z.optional(pass),
  /** Where the pass of the next run begins, when the last pass left some for it. */
  nextPass: z.optional(z.omit(pass, { end: true })),
  walk: z.optional(walk),
  /** The last walk that came to its end. */
  last: z.optional(z.object({ ...tally, endedOn: z.iso.datetime() })),
  /** Runs in a row that could not get on from here. */
  stumbles: z._default(count, 0),
});

export type ReconcileProgress = z.infer<typeof reconcileProgress>;

/** What is to be said of an entity; nothing of one that is as it should be. */
export type Finding = Omit<Gap, 'what' | 'id'> & {
  /** Absent when the platform's list has a person without a usable id. */
  readonly id?: string;
  readonly what: Gap['what'] | 'to be read back';
  /** Of a stale entity: when its last report came. */
  readonly since?: string;
  /** What `store` is to make of it. */
  readonly answer?: ReadBackAnswer;
};

/** The outcome of checking some entities. */
export type Checked = { readonly checked: readonly EntityKind[]; readonly findings: readonly Finding[] };

const nothing: GapCounts = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

/** A walk that has seen nothing yet. */
export function newWalk(now: Date): Walk {
  return {
    beganOn: now.toISOString(),
    counts: forEachKind(() => nothing),
    onboardingsDue: 0,
    phase: 'persons',
    trail: trailhead,
  };
}

/** At the beginning of a run. A report that continues does not check again what is to be read back. */
export function beginRun(progress: ReconcileProgress, now: Date, repairs: boolean): ReconcileProgress & { walk: Walk } {
  const { pass: underWay, nextPass, walk: walked, ...others } = progress;
  const isDue = repairs || walked === undefined;
  const next = nextPass ?? { shard: 0 };
  const due = isDue ? { ...next, end: next.shard } : undefined;
  return { ...others, pass: underWay ?? due, walk: walked ?? newWalk(now) };
}

export function addChecked(walked: Walk, { checked, findings }: Checked, repairs: boolean): Walk {
  const sinces = findings.flatMap(({ since }) => since ?? []);
  const oldestStale = [...sinces, ...(walked.oldestStale ? [walked.oldestStale] : [])].toSorted(compareTimes)[0];
  return { ...walked, counts: forEachKind((kind) => addTo(walked.counts[kind], kind)), oldestStale };

  function addTo(sofar: GapCounts, kind: EntityKind): GapCounts {
    const own = findings.filter((finding) => finding.kind === kind);
    const drifted = own.filter(({ what }) => what === 'drifted');
    const number = (what: Finding['what']) => own.filter((finding) => finding.what === what).length;
    return {
      checked: sofar.checked + checked.filter((one) => one === kind).length,
      drifted: sofar.drifted + drifted.length,
      repaired: sofar.repaired + (repairs ? drifted.filter(({ answer }) => answer !== undefined).length : 0),
      readBack: sofar.readBack + number('to be read back'),
      stale: sofar.stale + number('stale'),
      gone: sofar.gone + number('gone'),
      unanswered: sofar.unanswered + number('unanswered'),
    };
  }
}

function forEachKind(countsOf: (kind: EntityKind) => GapCounts): CountsByKind {
  return {
    'natural-person': countsOf('natural-person'),
    'identification-verification': countsOf('identification-verification'),
    order: countsOf('order'),
    transfer: countsOf('transfer'),
  };
}

/** After a page of the index of a shard. */
export function passOn({ shard, end }: Pass, next: Walk['start']): Pass | undefined {
  if (next !== undefined) return { shard, start: next, end };
  const following = (shard + 1) % readBackShards.length;
  return following === end ? undefined : { shard: following, end };
}

/** Leaves the rest of a pass to the next run. */
export function interruptPass(progress: ReconcileProgress, { shard, start }: Pass): ReconcileProgress {
  return { ...progress, pass: undefined, nextPass: { shard, start } };
}

/** After a page of persons: at the page of this cursor, or, at the end of the list, at the verifications. */
export function afterPersons(walked: Walk, cursor: string | undefined, trail: CursorTrail | undefined): Walk {
  const { cursor: _, ...others } = walked;
  return trail === undefined ? { ...others, phase: 'verifications' } : { ...others, cursor, trail };
}

/** After some verifications: at those that follow, or, where there are none, at the table of entities. */
export function afterVerifications({ start: _, ...walked }: Walk, next: Walk['start']): Walk {
  return next === undefined ? { ...walked, phase: 'entities' } : { ...walked, start: next };
}

/** The list of persons is read from its first page: a platform may not know a cursor of yesterday. */
export function startPersonsOver({ cursor: _, ...walked }: Walk): Walk {
  return { ...walked, trail: trailhead };
}

/** After the last page of the table. */
export function endWalk({ nextPass, walk: walked }: ReconcileProgress, now: Date): ReconcileProgress {
  const { beganOn, counts, oldestStale } = walked ?? newWalk(now);
  const last = { beganOn, counts, onboardingsDue: 0, oldestStale, endedOn: now.toISOString() };
  return { stumbles: 0, last, ...(nextPass && { nextPass }) };
}

/** Runs that may fail at one place until it is gone about in another way. */
export const maxFailedRuns = 3;

/** After a run that could not get on. */
export function recordFailedRun(progress: ReconcileProgress): ReconcileProgress {
  const { walk: walked, stumbles } = progress;
  // Only the list of persons has a cursor.
  const isListAtFault = progress.pass === undefined && walked?.cursor !== undefined;
  if (isListAtFault && stumbles + 1 >= maxFailedRuns)
    return { ...progress, walk: startPersonsOver(walked), stumbles: 0 };
  return { ...progress, stumbles: stumbles + 1 };
}
