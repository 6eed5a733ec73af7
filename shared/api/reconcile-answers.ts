import * as z from 'zod/mini';
import { differences } from '#shared/bus/event-details.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

/** What `reconcile` answers to `{"mode": "compare"}`: one entity as it is here, and as the platform has it. Writes nothing. */
export const entityComparison = z.object({
  kind: z.enum(entityKinds),
  id: entityId,
  /** When the platform was asked. ISO 8601, UTC. */
  readOn: z.iso.datetime(),
  /** Absent if no webhook has reported the entity. */
  ours: z.optional(z.object({ status: z.optional(z.string()), modifiedOn: z.optional(timestamp) })),
  /** `gone`: the platform does not know it. `unanswered`: it does not say. `not readable`: no operation reads an order. */
  platform: z.union([
    z.object({ status: z.string(), modifiedOn: timestamp }),
    z.enum(['gone', 'unanswered', 'not readable']),
  ]),
  /** How the two differ. Also empty if our status is the later one. */
  differed: z.array(z.enum(differences)),
});

export type EntityComparison = z.infer<typeof entityComparison>;

const count = z.int().check(z.nonnegative());

/** What reconciliation has found of the entities of one kind. */
const gapCounts = z.object({
  /** Entities that were compared with the platform. */
  checked: count,
  /** Not as the platform has them, although no report about them was open. */
  drifted: count,
  /** Of these, those that were handed over to be repaired. */
  repaired: count,
  /** To be asked for, since a webhook reported that something had happened and not what. This is not drift: such entities are always read so. */
  readBack: count,
  /** A report about them is long overdue: all of them, as the last run of the walk counted. */
  stale: count,
  /** The platform does not know them. */
  gone: count,
  /** The platform did not answer with their status. */
  unanswered: count,
});

export type GapCounts = z.infer<typeof gapCounts>;

export const countsByKind = z.record(z.enum(entityKinds), gapCounts);

export type CountsByKind = z.infer<typeof countsByKind>;

/** An entity that is not as it should be. */
export const gap = z.object({
  kind: z.enum(entityKinds),
  id: z.string(),
  what: z.enum(['drifted', 'stale', 'gone', 'unanswered']),
  differed: z.optional(z.array(z.enum(differences))),
  /** As we show it. */
  status: z.optional(z.string()),
  /** As the platform has it. */
  platformStatus: z.optional(z.string()),
});

export type Gap = z.infer<typeof gap>;

/** The most entities that a report names. */
export const maxGaps = 100;

/** What an invocation of `reconcile` answers. Ids and statuses, no personal data. */
export const gapReport = z.object({
  mode: z.enum(['report', 'repair']),
  /** `complete`: nothing is left to check until it is due. When its time was over, the next invocation continues. */
  outcome: z.enum(['complete', 'time is over', 'another run is at work']),
  /** When the walk began. ISO 8601, UTC. */
  beganOn: z.iso.datetime(),
  /** Of the whole walk so far, over all its invocations. */
  counts: countsByKind,
  /** When the last report came of the entity that has waited the longest. */
  oldestStale: z.optional(timestamp),
  /** Only of this invocation, and no more than {@link maxGaps}. */
  gaps: z.array(gap),
  furtherGaps: count,
  /** Present when the report ran out of time. Pass it as `from` to continue. */
  next: z.optional(z.looseObject({})),
});

export type GapReport = z.infer<typeof gapReport>;

/** Whether entities are, or were, not as the platform has them, or are gone from it. */
export function hasDriftedOrGone({ counts }: Pick<GapReport, 'counts'>): boolean {
  return Object.values(counts).some(({ drifted, gone }) => drifted + gone > 0);
}

const walked = { beganOn: z.iso.datetime(), counts: countsByKind };

/** What `reconcile` answers to `{"mode": "last"}`: the walks of its repairs, which the schedule begins. Only ids and counts. */
export const walkSummary = z.object({
  /** The last walk that came to its end. */
  last: z.optional(z.object({ ...walked, oldestStale: z.optional(timestamp), endedOn: z.iso.datetime() })),
  /** The walk that the next run continues. */
  underWay: z.optional(z.object({ ...walked, phase: z.enum(['persons', 'verifications', 'entities']) })),
  /** Runs in a row that failed at the same place. */
  failedRuns: count,
});

export type WalkSummary = z.infer<typeof walkSummary>;
