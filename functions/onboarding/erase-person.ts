import * as z from 'zod/mini';
import { entityId } from '#shared/entities/place-event.ts';
import type { EntityKey } from '#shared/entity-row.ts';
import type { EntityStore } from '#shared/entity-store.ts';
import type { EventStore } from '#shared/event-store.ts';
import { type HttpAnswer, problem } from '#shared/handler.ts';
import type { Log } from '#shared/log.ts';
import { isErased, onboardingIdOf } from '#shared/onboarding-row.ts';
import type { OnboardingState } from '#shared/onboarding-state.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { OnboardingStore } from '#shared/onboarding-store.ts';
import { sideBySide } from '#shared/side-by-side.ts';

export type ErasePersonDeps = {
  readonly onboardingStore: Pick<OnboardingStore, 'load' | 'erase'>;
  readonly entityStore: Pick<EntityStore, 'erase'>;
  readonly eventStore: Pick<EventStore, 'erase'>;
  readonly log: Log;
};

/** The fields used of an HTTP API event, payload format 2.0. */
const erasure = z.object({
  pathParameters: z.object({ externalId: z.string().check(z.minLength(1)) }),
  queryStringParameters: z.optional(z.object({ naturalPersonId: z.optional(entityId) })),
});

/** Events whose bodies are erased at once. */
const atOnce = 10;

/**
 * Erases a person: `DELETE /persons/{externalId}`. Its entity and that of its verification, the bodies of the events that
 * spoke of them, and its onboarding go; a record that it was so stays, without personal data, and nothing late brings any of
 * it back. Orders and transfers are kept. Can be repeated, and is to be, where the answer is no 204.
 *
 * A person that was onboarded otherwise, or long ago, is named by the query parameter `naturalPersonId` as well, since
 * nothing here knows whose externalId it is. 409 while the onboarding goes on: it would create what was erased; and where it
 * ended before it knew whether the platform has the person, of whom webhooks may come then.
 *
 * @throws what must be sent again, which is a 503
 */
export function createErasePerson({ onboardingStore, entityStore, eventStore, log }: ErasePersonDeps) {
  return async (event: unknown): Promise<HttpAnswer> => {
    const request = z.safeParse(erasure, event);
    if (!request.success) return problem(400, 'The query parameter naturalPersonId must be an id of the platform.');
    const { pathParameters, queryStringParameters } = request.data;
    const onboardingId = onboardingIdOf(pathParameters.externalId);
    const row = await onboardingStore.load(onboardingId);
    const onboarding = row === undefined || isErased(row) ? undefined : row.state;
    if (onboarding !== undefined && !stepRow(onboarding.step).final)
      return problem(409, `Cancel the onboarding first: it is ${onboarding.step}.`);
    const naturalPersonId = onboarding?.naturalPersonId ?? queryStringParameters?.naturalPersonId;
    if (onboarding !== undefined && naturalPersonId === undefined && mayHavePerson(onboarding))
      return problem(409, mustBeNamed);
    if (row === undefined && naturalPersonId === undefined)
      return problem(404, 'There is no onboarding of this externalId: name the person by naturalPersonId as well.');
    if (naturalPersonId !== undefined) await erase({ kind: 'natural-person', id: naturalPersonId });
    const verificationId = onboarding?.identificationVerificationId;
    if (verificationId !== undefined) await erase({ kind: 'identification-verification', id: verificationId });
    // Last, since it is what knows the others.
    await onboardingStore.erase(onboardingId);
    log.info('person erased', { onboardingId });
    return { statusCode: 204 };
  };

  function erase(key: EntityKey): Promise<void> {
    return entityStore.erase(key, async (eventIds) => {
      await sideBySide(eventIds, atOnce, eventStore.erase);
    });
  }
}

const mustBeNamed =
  'The onboarding ended before it knew the person, whom the platform may have: name the person by naturalPersonId as well, or request the onboarding again with other data, and cancel it once it shows a naturalPersonId.';

/** Whether a create was sent of which nobody knows what became; or whether it had a person before it began anew. */
function mayHavePerson({ step, intentOn, mustSeek }: OnboardingState): boolean {
  return mustSeek || (intentOn !== undefined && step !== 'FAILED');
}
