import * as z from 'zod';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { requireControl } from '#cli/console/reads/sandbox-reads.ts';
import type { ControlClient } from '#cli/sandbox/control-client.ts';
import { delivery } from '#cli/sandbox/log-commands.ts';
import { clock } from '#cli/sandbox/read-clock.ts';
import { entityOf, triggered } from '#cli/sandbox/trigger-command.ts';
import { onboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { type ActionResult, defineAction } from './define-action.ts';

const none = z.object({});

/** What a developer does to the sandbox platform. It happens without a question: none of it is anyone's money. */
export function createSandboxActions(context: ConsoleContext) {
  const send: ControlClient['send'] = (request, answer) => requireControl(context).send(request, answer);

  const immediate = <Input extends z.ZodType>(
    input: Input,
    will: string,
    run: (given: z.output<Input>) => Promise<ActionResult>,
  ) => defineAction(input, async (given) => ({ preview: { will, canRun: true }, run: () => run(given) }));

  const setClock = async (path: string, body?: object): Promise<ActionResult> => {
    const { now, isFrozen } = await send({ method: 'POST', path, body }, clock);
    return { message: `The clock is at ${now}, and ${isFrozen ? 'stopped' : 'runs'}.` };
  };

  return {
    stopClock: immediate(none, 'stop the clock', () => setClock('/clock/freeze')),
    startClock: immediate(none, 'let the clock run', () => setClock('/clock/resume')),
    advanceClock: immediate(z.object({ seconds: z.int().positive() }), 'move the clock forward', ({ seconds }) =>
      setClock('/clock/advance', { seconds }),
    ),
    placeFault: immediate(
      z.object({
        effect: z.enum(['ANSWER', 'NO_ANSWER', 'LATENCY']),
        status: z.int().optional(),
        milliseconds: z.int().optional(),
      }),
      'let calls of the platform fail',
      async (body) => {
        await send({ method: 'POST', path: '/faults', body }, z.unknown());
        return { message: 'The fault is on: it affects every call of the platform until you end it.' };
      },
    ),
    endFault: immediate(z.object({ id: z.string() }), 'end a fault', async ({ id }) => {
      await send({ method: 'DELETE', path: requestPath`/faults/${id}` }, z.unknown());
      return { message: 'The fault has ended.' };
    }),
    endFaults: immediate(none, 'end every fault', async () => {
      await send({ method: 'DELETE', path: '/faults' }, z.unknown());
      return { message: 'Every fault has ended.' };
    }),
    setOutage: immediate(z.object({ isOut: z.boolean() }), 'change the endpoint of Drawbridge', async ({ isOut }) => {
      await send({ method: isOut ? 'PUT' : 'DELETE', path: '/outage' }, z.unknown());
      return { message: isOut ? 'The endpoint is down: each connection breaks.' : 'The endpoint is up again.' };
    }),
    trigger: immediate(z.object({ type: z.string() }), 'play a life cycle', async ({ type }) => {
      const { ids } = await send({ method: 'POST', path: '/triggers', body: { type, set: {} } }, triggered);
      const made = entityOf(ids);
      return {
        message: `${type} was played.`,
        ...(made && { path: requestPath`/entities/${made.kind}/${made.id}`, about: made.id }),
      };
    }),
    onboardPersona: immediate(z.object({ persona: z.string() }), 'onboard a persona', async ({ persona }) => {
      const path = requestPath`/personas/${persona}/onboarding`;
      const body = await send({ method: 'GET', path }, z.looseObject({ externalId: z.string() }));
      const { onboardingId } = await context.deployment.api.send(
        { method: 'POST', path: '/onboardings', body },
        onboardingAnswer,
      );
      return {
        message: `${persona} is being onboarded.`,
        path: requestPath`/onboardings/${body.externalId}`,
        about: onboardingId,
      };
    }),
    resend: immediate(z.object({ deliveryId: z.string() }), 'send a webhook again', async ({ deliveryId }) => {
      const path = requestPath`/deliveries/${deliveryId}/resend`;
      const { outcome } = await send({ method: 'POST', path }, delivery);
      return { message: `${deliveryId} was sent again: ${outcome}.` };
    }),
  };
}
