import * as z from 'zod';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { acceptsBoth, pendingLines, readRegisterReport, tooEarly } from '#cli/webhooks/register-report.ts';
import { defineAction } from './define-action.ts';

const modes = {
  apply: 'change the webhooks on the platform as planned',
  rotate: 'begin a rotation of the header secret; no delivery is rejected meanwhile',
  retire: 'end the rotation, so that deliveries with the previous secret are rejected',
} as const;

const eventTypes = z.array(z.string()).default([]);

const input = z.object({ mode: z.enum(['apply', 'rotate', 'retire']), takeOver: eventTypes, remove: eventTypes });

/** Registers webhooks on the platform, and rotates their secret. */
export function createRegistrationActions({ deployment: { invoke } }: Pick<ConsoleContext, 'deployment'>) {
  return {
    register: defineAction(input, async (request) => {
      const planned = readRegisterReport(await invoke('Register', { ...request, mode: 'plan' }));
      const lines = pendingLines(planned);
      return {
        preview: {
          will: modes[request.mode],
          count: lines.length,
          facts: [
            ['webhooks in the plan', planned.plan.length],
            ['of these, changes', lines.length],
            ['rotation', planned.rotation],
          ],
          lines,
          canRun: request.mode !== 'apply' || lines.length > 0,
        },
        run: async () => {
          const report = readRegisterReport(await invoke('Register', request));
          const { plan, failed, rotation } = report;
          const isUnfinished = request.mode === 'retire' && acceptsBoth(report);
          const done = isUnfinished ? tooEarly : `Done. Rotation: ${rotation}`;
          return {
            message: failed.length === 0 ? done : `${failed.length} webhooks failed.`,
            lines: [...plan, ...failed.map((failure) => `! ${failure}`)],
            isFailure: failed.length > 0 || isUnfinished,
          };
        },
      };
    }),
  };
}
