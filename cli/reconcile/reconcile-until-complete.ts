import { type Gap, type GapReport, gapReport } from '#shared/api/reconcile-answers.ts';
import { readReconcileAnswer } from './read-reconcile-answer.ts';

/** The time limit of one invocation: shorter than the timeouts of the AWS CLI and of any proxy in between. */
const maxSeconds = 45;

/**
 * Invokes `reconcile` until its walk is over, or until another run is in progress.
 *
 * @param onProgress called after each invocation that ran out of time
 * @throws {CommandError} if there is no platform token yet
 * @returns the last report, with the gaps of all invocations
 */
export async function reconcileUntilComplete(
  invoke: (event: object) => Promise<unknown>,
  { mode, isFull = false }: { readonly mode: GapReport['mode']; readonly isFull?: boolean | undefined },
  onProgress: (report: GapReport) => void,
): Promise<GapReport> {
  const gaps: Gap[] = [];
  let furtherGaps = 0;
  let from: GapReport['next'];
  for (;;) {
    const answer = await invoke({ mode, seconds: maxSeconds, ...(isFull && { full: true }), ...(from && { from }) });
    const report = readReconcileAnswer(answer, gapReport);
    gaps.push(...report.gaps);
    furtherGaps += report.furtherGaps;
    if (report.outcome !== 'time is over') return { ...report, gaps, furtherGaps };
    onProgress(report);
    from = report.next;
  }
}
