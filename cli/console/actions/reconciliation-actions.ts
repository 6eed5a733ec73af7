import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { recordAction } from '#cli/deployment/record-action.ts';
import { countOf } from '#cli/output/count-of.ts';
import { goneSentences, sumOf } from '#cli/reconcile/format-report.ts';
import { reconcileUntilComplete } from '#cli/reconcile/reconcile-until-complete.ts';
import type { GapReport } from '#shared/api/reconcile-answers.ts';
import { defineAction, type PreparedAction } from './define-action.ts';

/** Reports that are kept for the page. */
const maxReports = 10;

/** Compares persons, and what is due, with the platform. */
export function createReconciliationActions({
  deployment,
  reports,
  deps,
}: Pick<ConsoleContext, 'deployment' | 'reports' | 'deps'>) {
  const prepare = (mode: GapReport['mode'], will: string): PreparedAction => ({
    preview: { will, canRun: true },
    run: async (onProgress) => {
      if (mode === 'repair') await recordAction(deployment, { message: 'repair requested' }, deps);
      const report = await reconcileUntilComplete(
        (event) => deployment.invoke('Reconcile', event),
        { mode },
        (soFar) => onProgress(sumOf(soFar, 'checked'), undefined),
      );
      reports.push(report);
      reports.splice(0, reports.length - maxReports);
      return { message: describe(report), isFailure: report.outcome !== 'complete' };
    },
  });
  return {
    compare: defineAction(
      z.object({}),
      async () => prepare('report', 'compare persons, and what is due, with the platform, and change nothing'),
      { isRead: true },
    ),
    repair: defineAction(z.object({}), async () =>
      prepare('repair', 'compare persons, and what is due, with the platform, and repair what differs'),
    ),
  };
}

function describe(report: GapReport): string {
  if (report.outcome !== 'complete') return 'Another run is in progress. Compare again in a few minutes.';
  const drifted = sumOf(report, 'drifted');
  const checked = countOf(sumOf(report, 'checked'), 'entity was', 'entities were');
  return [
    `${checked} compared, and ${drifted === 0 ? 'none has' : countOf(drifted, 'has', 'have')} drifted.`,
    ...(drifted > 0 && report.mode === 'repair' ? ['Store now repairs what differs.'] : []),
    ...goneSentences(report),
  ].join(' ');
}
