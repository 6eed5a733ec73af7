import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readLastWalks } from '#cli/reconcile/inspections.ts';
import { readDrift } from '#cli/reconcile/read-drift.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { defineRead } from './define-read.ts';

/** What reconciliation found. */
export function createReconciliationReads({ deployment, deps, walks }: ConsoleContext) {
  return {
    /** The drift of the last day by the metrics, and the walks that this console has started, the latest first. */
    reconciliation: defineRead(z.object({}), async () => {
      const now = await readClock(deployment, deps);
      // A role that may not read metrics can compare nevertheless.
      const drift = await readDrift(deployment, now).catch(() => undefined);
      return { drift, walks: walks.toReversed() };
    }),
    /** The walks of repairs, those of the schedule too. Invokes Reconcile, which a reader may not. */
    lastWalks: defineRead(z.object({}), () => readLastWalks(deployment)),
  };
}
