import { type Gap, type GapReport, maxGaps } from '#shared/bus/gap-report.ts';
import { type Finding, newWalk, type ReconcileProgress } from './reconcile-progress.ts';
import type { Run } from './run.ts';

export type WriteReport = Pick<GapReport, 'mode' | 'outcome'> & {
  /** As this run has left it. */
  readonly progress: ReconcileProgress;
  /** What this run has found. */
  readonly found: readonly Finding[];
  /** What is stale; undefined where another invocation says it. */
  readonly stale: Run['stale'] | undefined;
  readonly now: Date;
};

/** The answer of an invocation: the counts of the whole walk so far, and the gaps that this run has found. */
export function writeReport({ mode, outcome, progress, found, stale, now }: WriteReport): GapReport {
  const walked = (outcome === 'complete' ? progress.last : progress.walk) ?? newWalk(now);
  const { beganOn, counts, oldestStale } = walked;
  const gaps = [...found, ...(stale?.longest ?? [])].flatMap((finding) => toGap(finding) ?? []);
  return {
    mode,
    outcome,
    beganOn,
    counts,
    oldestStale,
    gaps: gaps.slice(0, maxGaps),
    furtherGaps: Math.max(0, gaps.length - maxGaps) + (stale?.others ?? 0),
    ...(mode === 'report' && outcome === 'time is over' && { next: progress }),
  };
}

function toGap({ kind, id, what, differed, status, platformStatus }: Finding): Gap | undefined {
  if (id === undefined || what === 'to be read back') return undefined;
  return { kind, id, what, differed, status, platformStatus };
}
