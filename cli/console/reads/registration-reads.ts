import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { acceptsBoth, isChange, pendingLines, readPlanRow, readRegisterReport } from '#cli/webhooks/register-report.ts';
import { defineRead } from './define-read.ts';

/** The webhooks that are registered on the platform. */
export function createRegistrationReads({ deployment }: Pick<ConsoleContext, 'deployment'>) {
  return {
    registrations: defineRead(z.object({}), async () => {
      const report = readRegisterReport(
        await deployment.invoke('Register', { mode: 'plan', takeOver: [], remove: [] }),
      );
      const pending = pendingLines(report);
      const changes = pending.filter(isChange).length;
      return {
        rows: report.plan.map(readPlanRow),
        rotation: report.rotation,
        isRotating: acceptsBoth(report),
        changes,
        decisions: pending.length - changes,
      };
    }),
  };
}
