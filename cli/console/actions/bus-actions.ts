import * as z from 'zod';
import { describeBusReplay, planBusReplay, runBusReplay } from '#cli/bus/replay-bus.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { defineAction } from './define-action.ts';

const time = z.iso.datetime({ error: 'must be a time such as 2026-01-31T08:00:00Z' });

const input = z.object({
  to: z.array(z.string()).min(1, 'Choose a rule.'),
  from: time,
  until: time.optional(),
});

/** Publishes past events of the bus again, as `bus replay` does. */
export function createBusActions({ deployment, deps }: Pick<ConsoleContext, 'deployment' | 'deps'>) {
  return {
    replayBus: defineAction(input, async (request) => {
      const plan = await planBusReplay(deployment, request, deps);
      const { rules, archived, incompleteFrom } = plan;
      return {
        preview: {
          will: describeBusReplay(plan, 'of the bus'),
          count: archived,
          facts: [
            ['from', plan.from],
            ['to', plan.until],
            ['events in this time', archived],
            ...rules.map(({ name, matched }) => [`matched by ${name}, replays too`, matched] as const),
          ],
          lines: [
            'Each rule gets those that its pattern takes, once more. Its consumer must drop what it has handled.',
            'The replay continues if you close this page.',
            ...(archived === 0 ? ['! CloudWatch counts no event in this time. It counts some minutes late.'] : []),
            ...(incompleteFrom === undefined
              ? []
              : [`! Events since ${incompleteFrom} can be missing: the archive gets them some minutes late.`]),
          ],
          canRun: true,
        },
        run: async () => {
          const { message, isComplete } = await runBusReplay(deployment, plan, deps);
          return { message, isFailure: !isComplete };
        },
      };
    }),
  };
}
