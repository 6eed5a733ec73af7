import * as z from 'zod/mini';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { countsByKind } from './gap-report.ts';

const count = z.int().check(z.nonnegative());

const walked = { beganOn: z.iso.datetime(), counts: countsByKind };

/** What `reconcile` answers to `{"mode": "last"}`: the walks of its repairs, which the schedule begins. Ids and counts alone. */
export const walkSummary = z.object({
  /** The last walk that came to its end. */
  last: z.optional(z.object({ ...walked, oldestStale: z.optional(timestamp), endedOn: z.iso.datetime() })),
  /** The walk that the next run continues. */
  underWay: z.optional(z.object({ ...walked, phase: z.enum(['persons', 'verifications', 'entities']) })),
  /** Runs in a row that failed at the same place. */
  failedRuns: count,
});

export type WalkSummary = z.infer<typeof walkSummary>;
