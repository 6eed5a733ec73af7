import { type Gap, type GapReport, gapReport } from '#shared/gap-report.ts';
import type { Invoke } from './invoke.ts';

/** How long each invocation may take: less than what sits between us and the function waits for an answer. */
const seconds = 45;

/**
 * Invokes `reconcile` until the walk has come to its end, or another run is at work.
 *
 * @param onProgress is told of each invocation that could not end it
 * @returns the last answer, with the gaps of all
 */
export async function reconcileWhole(
  invoke: Invoke,
  mode: GapReport['mode'],
  onProgress: (report: GapReport) => void,
): Promise<GapReport> {
  const gaps: Gap[] = [];
  let furtherGaps = 0;
  let from: GapReport['next'];
  for (;;) {
    const report = gapReport.parse(await invoke({ mode, seconds, ...(from && { from }) }));
    gaps.push(...report.gaps);
    furtherGaps += report.furtherGaps;
    if (report.outcome !== 'time is over') return { ...report, gaps, furtherGaps };
    onProgress(report);
    from = report.next;
  }
}
