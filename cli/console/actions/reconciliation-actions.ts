import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { reconcileWhole } from '#cli/reconcile/reconcile-whole.ts';
import { type GapReport, hasDrifted } from '#shared/bus/gap-report.ts';
import { defineAction, type PreparedAction } from './define-action.ts';

/** Walks that are kept for the page. */
const maxWalks = 10;

/** Compares persons, and what is due, with the platform. */
export function createReconciliationActions({ deployment, walks }: Pick<ConsoleContext, 'deployment' | 'walks'>) {
  const prepare = (mode: GapReport['mode'], will: string): PreparedAction => ({
    preview: { will, canRun: true },
    run: async (onProgress) => {
      const report = await reconcileWhole(
        (event) => deployment.invoke('Reconcile', event),
        { mode },
        (soFar) => onProgress(sum(soFar, 'checked'), undefined),
      );
      walks.push(report);
      walks.splice(0, walks.length - maxWalks);
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

function sum({ counts }: GapReport, column: 'checked' | 'drifted'): number {
  return Object.values(counts).reduce((total, ofKind) => total + ofKind[column], 0);
}

function describe(report: GapReport): string {
  if (report.outcome !== 'complete') return 'Another walk is in progress. Compare again in a few minutes.';
  const checked = `${sum(report, 'checked')} entities were compared`;
  if (!hasDrifted(report)) return `${checked}, and none has drifted.`;
  return `${checked}, and ${sum(report, 'drifted')} have drifted${report.mode === 'repair' ? '. Store repairs them' : ''}.`;
}
