import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { readMetrics } from '#cli/status/read-metrics.ts';
import { defineRead } from './define-read.ts';

/** What reconciliation found. */
export function createReconciliationReads({ deployment, deps, walks }: ConsoleContext) {
  return {
    /** The drift that the scheduled walks found, and the walks that this console has started, the latest first. */
    reconciliation: defineRead(z.object({}), async () => {
      const now = await readClock(deployment, deps);
      // A role that may not read metrics can compare nevertheless.
      const metrics = await readMetrics(deployment, now).catch(() => undefined);
      return { driftFound: metrics?.DriftFound, walks: walks.toReversed() };
    }),
  };
}
