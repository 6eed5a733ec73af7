import * as z from 'zod/mini';
import { compareTimes } from '#shared/entities/times.ts';
import { listingStart } from '#shared/entity-listing.ts';
import { readBackShards } from '#shared/entity-row.ts';
import { type CountsByKind, countsByKind, type Gap, type GapCounts } from '#shared/gap-report.ts';
import type { EntityKind } from '#shared/platform/event-place.ts';
import { timestamp } from '#shared/platform/timestamp.ts';
import type { ReadBackAnswer } from '#shared/read-back.ts';
import { type CursorTrail, cursorTrail, trailhead } from './cursor-trail.ts';

/**
 * Where reconciliation is, and what it has found: pure, and kept in the checkpoint from run to run. A walk is over when it
 * has seen every person of the platform and every entity of ours, whatever the number of runs.
 */

const count = z.int().check(z.nonnegative());

const tally = {
  /** When the walk began. */
  beganOn: z.iso.datetime(),
  counts: countsByKind,
  onboardingsDue: count,
  /** When the last news came of the entity that has been waiting the longest. */
  oldestStale: z.optional(timestamp),
};

const walk = z.object({
  ...tally,
  /** First the platform's list of persons, then the verifications of onboardings, then the table of entities. */
  phase: z.enum(['persons', 'verifications', 'entities']),
  /** Of the page of persons that comes next; none for the first. */
  cursor: z.optional(z.string()),
  trail: cursorTrail,
  /** Where the verifications, or the table, go on. */
  start: z.optional(listingStart),
});

export type Walk = z.infer<typeof walk>;

/** Where the pass over the entities that are to be read back is. Every run begins with one, however long a walk takes. */
const pass = z.object({ shard: count, start: z.optional(listingStart) });

export const reconcileProgress = z.object({
  pass: z.optional(pass),
  walk: z.optional(walk),
  /** The last walk that came to its end. */
  last: z.optional(z.object({ ...tally, endedOn: z.iso.datetime() })),
  /** Runs in a row that could not get on from here. */
  stumbles: z._default(count, 0),
});

export type ReconcileProgress = z.infer<typeof reconcileProgress>;

/** What is to be said of an entity; nothing of one that is as it should be. */
export type Finding = Omit<Gap, 'what' | 'id'> & {
  /** Absent where the platform's list has somebody without a usable one. */
  readonly id?: string;
  readonly what: Gap['what'] | 'to be read back';
  /** Of what is stale: when the last news came. */
  readonly since?: string;
  /** What `store` is to make of it. */
  readonly answer?: ReadBackAnswer;
};

/** What came of looking at some entities. */
export type Look = { readonly lookedAt: readonly EntityKind[]; readonly findings: readonly Finding[] };

const nothing: GapCounts = { lookedAt: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

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

/** At the beginning of a run. A report that goes on does not look again at what is to be read back. */
export function beginRun(progress: ReconcileProgress, now: Date, repairs: boolean): ReconcileProgress & { walk: Walk } {
  const { pass: underWay, walk: walked } = progress;
  const isDue = repairs || walked === undefined;
  return { ...progress, pass: underWay ?? (isDue ? { shard: 0 } : undefined), walk: walked ?? newWalk(now) };
}

export function addLook(walked: Walk, { lookedAt, findings }: Look, repairs: boolean): Walk {
  const sinces = findings.flatMap(({ since }) => since ?? []);
  const oldestStale = [...sinces, ...(walked.oldestStale ? [walked.oldestStale] : [])].toSorted(compareTimes)[0];
  return { ...walked, counts: forEachKind((kind) => addTo(walked.counts[kind], kind)), oldestStale };

  function addTo(sofar: GapCounts, kind: EntityKind): GapCounts {
    const own = findings.filter((finding) => finding.kind === kind);
    const drifted = own.filter(({ what }) => what === 'drifted');
    const number = (what: Finding['what']) => own.filter((finding) => finding.what === what).length;
    return {
      lookedAt: sofar.lookedAt + lookedAt.filter((one) => one === kind).length,
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
export function passOn({ shard }: z.infer<typeof pass>, next: Walk['start']): ReconcileProgress['pass'] {
  if (next !== undefined) return { shard, start: next };
  return shard + 1 < readBackShards.length ? { shard: shard + 1 } : undefined;
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

export function endWalk({ walk: walked }: ReconcileProgress, now: Date): ReconcileProgress {
  if (walked === undefined) return { stumbles: 0 };
  const { beganOn, counts, onboardingsDue, oldestStale } = walked;
  return { stumbles: 0, last: { beganOn, counts, onboardingsDue, oldestStale, endedOn: now.toISOString() } };
}

/** Runs that may fail at one place until it is gone about in another way. */
export const mostStumbles = 3;

/** After a run that could not get on. */
export function stumble(progress: ReconcileProgress): ReconcileProgress {
  const { walk: walked, stumbles } = progress;
  const isListAtFault = progress.pass === undefined && walked?.phase === 'persons' && walked.cursor !== undefined;
  if (isListAtFault && stumbles + 1 >= mostStumbles)
    return { ...progress, walk: startPersonsOver(walked), stumbles: 0 };
  return { ...progress, stumbles: stumbles + 1 };
}
