import * as z from 'zod/mini';
import type { RequestOutcome } from '#functions/onboarding/accept/accept-request.ts';
import type { Problem } from '#functions/onboarding/accept/onboarding-request.ts';
import { requestDetailType } from '#shared/bus/event-details.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import type { PublishOnboardingEvents } from '#shared/onboarding/onboarding-event.ts';

/** The fields used of an event of EventBridge. */
const requestedEvent = z.object({
  id: z.string(),
  'detail-type': z.literal(requestDetailType),
  detail: z.unknown(),
  /** When the event was put on the bus, in whole seconds. */
  time: z.optional(z.string()),
});

/** Whether this is an event, not a batch of a queue: the rule of release 0.2.0 invoked the function directly. */
export function isEvent(input: unknown): boolean {
  return requestedEvent.safeParse(input).success;
}

/**
 * Accepts an `OnboardingRequested` event of the bus: its detail is what `POST /onboardings` takes. A request that cannot be
 * accepted is published as `OnboardingRejected`. Can be repeated.
 *
 * @throws when DynamoDB, SQS or the bus did not confirm
 */
export function createRequestEvent({
  request,
  publish,
}: {
  readonly request: (body: unknown, madeOn?: Date) => Promise<RequestOutcome>;
  readonly publish: PublishOnboardingEvents;
}) {
  return async (event: unknown): Promise<void> => {
    const parsed = requestedEvent.safeParse(event);
    if (!parsed.success)
      throw new DrawbridgeError(
        'RequestEventError',
        'This is not an OnboardingRequested event: check the rule of the bus, and who sends to the requests queue.',
      );
    const outcome = await request(parsed.data.detail, madeOn(parsed.data.time));
    if (outcome.outcome === 'ACCEPTED') return;
    const { onboardingId, problems, step, remedy } = outcome;
    const detail = {
      requestEventId: parsed.data.id,
      outcome: outcome.outcome,
      problems: problems.map(hideName),
      ...(onboardingId !== undefined && { onboardingId }),
      ...(step !== undefined && { step }),
      ...(remedy !== undefined && { remedy }),
    };
    await publish([{ detailType: 'OnboardingRejected', detail }]);
  };
}

/**
 * The last moment at which the event can have been put on the bus; undefined if EventBridge does not say. EventBridge delivers
 * at least once: a second delivery can come much later.
 */
function madeOn(time = ''): Date | undefined {
  const second = Date.parse(time);
  return Number.isNaN(second) ? undefined : new Date(second + 999);
}

/** Hides the name of an unknown field, which may be anything: the bus has more readers than the answer of the API. */
function hideName({ field, reason }: Problem): Problem {
  const parent = field.slice(0, field.lastIndexOf('.') + 1);
  return { field: reason.startsWith('is not a field') ? `${parent}?` : field, reason };
}
