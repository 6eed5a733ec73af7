import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatDone, ownLines } from '#cli/webhooks/format-register-report.ts';
import { acceptsBoth, isChange, pendingLines, type RegisterReport } from '#cli/webhooks/register-report.ts';
import { requestRegistration } from '#cli/webhooks/request-registration.ts';
import { type ActionResult, defineAction } from './define-action.ts';

const eventTypes = z.array(z.string()).default([]);

const input = z.object({ mode: z.enum(['apply', 'rotate', 'retire']), takeOver: eventTypes, remove: eventTypes });

type Request = z.output<typeof input>;

/** Registers webhooks on the platform, and rotates their secret. */
export function createRegistrationActions({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  const plan = (request: Request) => requestRegistration(deployment, { ...request, mode: 'plan' }, deps);
  return {
    register: defineAction(input, async (request) => {
      const before = await plan(request);
      const lines = pendingLines(before);
      const { canRun, will } = describe(request, before);
      // A new secret changes each of our webhooks, also one that the plan calls unchanged.
      const changes = request.mode === 'rotate' && canRun ? ownLines(before).length : lines.filter(isChange).length;
      return {
        preview: {
          will,
          count: changes,
          facts: [
            ['webhooks in the plan', before.plan.length],
            ['of these, to change', changes],
            ['of these, to decide', lines.filter((line) => !isChange(line)).length],
            ['rotation', before.rotation],
          ],
          lines,
          canRun,
        },
        run: async () => {
          const now = await plan(request);
          if (pendingLines(now).join() !== lines.join())
            throw new CommandError(
              'Nothing was done: the plan has changed since it was shown.',
              'read the plan again.',
            );
          return resultOf(request, before, await requestRegistration(deployment, request, deps));
        },
      };
    }),
  };
}

/** Each mode applies the plan too. */
function describe(
  { mode, takeOver, remove }: Request,
  before: RegisterReport,
): { readonly canRun: boolean; readonly will: string } {
  const isRotating = acceptsBoth(before);
  if (mode === 'rotate')
    return isRotating
      ? { canRun: false, will: 'begin a rotation of the header secret, and one is under way' }
      : { canRun: true, will: 'begin a rotation of the header secret; no delivery is rejected meanwhile' };
  if (mode === 'retire')
    return isRotating
      ? { canRun: true, will: 'end the rotation, so that deliveries with the previous secret are rejected' }
      : { canRun: false, will: 'end the rotation of the header secret, and none is under way' };
  const chosen = [
    ...takeOver.map((eventType) => `replace the webhook of another system for ${eventType}`),
    ...remove.map((eventType) => `remove our webhook for ${eventType}`),
  ];
  const rest = pendingLines(before).filter(isChange).length - chosen.length;
  if (chosen.length === 0)
    return {
      canRun: rest > 0,
      will: `change the webhooks on the platform as planned${rest > 0 ? '' : ', and the plan has no change'}`,
    };
  const others = rest > 0 ? `, and apply the other ${countOf(rest, 'change')} of the plan` : '';
  return { canRun: true, will: `${chosen.join(', ')}${others}` };
}

function resultOf({ mode }: Request, before: RegisterReport, report: RegisterReport): ActionResult {
  const { failed, rotation } = report;
  const isUnfinished = mode === 'retire' && acceptsBoth(report);
  const lines = formatDone(mode, { before, report })
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('Rotation: '));
  return { message: messageOf(), lines, isFailure: failed.length > 0 || isUnfinished };

  function messageOf(): string {
    if (failed.length > 0) return `${countOf(failed.length, 'webhook')} failed. Rotation: ${rotation}`;
    if (isUnfinished)
      return 'Not ended yet: a rotation can end two minutes after every webhook has the new secret. Then retire again.';
    return mode === 'apply' ? 'Done. The webhooks are as planned.' : `Done. Rotation: ${rotation}`;
  }
}
