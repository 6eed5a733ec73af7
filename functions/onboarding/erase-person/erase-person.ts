import * as z from 'zod/mini';
import type { ErasureAnswer } from '#shared/api/onboarding-answers.ts';
import { retryOnConflict } from '#shared/aws/retry-on-conflict.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { answer, type HttpAnswer } from '#shared/lambda/http-answer.ts';
import type { Log } from '#shared/lambda/log.ts';
import { problem } from '#shared/lambda/problem.ts';
import { onboardingOpen } from '#shared/lambda/problem-types.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { type ClaimOnboarding, claimRetries, conflict } from './claim-onboarding.ts';
import type { EraseEvents } from './erase-events.ts';
import { refusalOf, stateOf } from './erasure-refusal.ts';
import { erasure, invalidErasure, keysOf, type Named, withUnnamed } from './erasure-request.ts';

export type ErasePersonDeps = {
  readonly onboardingStore: Pick<OnboardingStore, 'load'>;
  readonly claimOnboarding: ClaimOnboarding;
  readonly entityStore: Pick<EntityStore, 'erase'>;
  readonly eventStore: Pick<EventStore, 'erase'>;
  readonly eraseEvents: EraseEvents;
  readonly now: () => Date;
  readonly log: Log;
};

/** How many bodies of events are erased concurrently. */
const atOnce = 10;

/** In milliseconds, of the 29 seconds that it has: then it answers where to continue. */
const deadlineMs = 20_000;

/**
 * Erases a person: `DELETE /persons/{externalId}`. Its entity and those of its verifications, the bodies of all events that
 * speak of them or name it, and its onboarding go; a record that it was so stays, without personal data, and nothing late
 * brings any of it back. Orders and transfers are kept. Can be repeated, and is to be, until the answer is 204: 202 says
 * with which query parameters: from where in the events table to continue, which persons events have under this externalId, or
 * which verifications of the person no onboarding knows.
 *
 * A person that was onboarded otherwise, or long ago, is named by the query parameters `naturalPersonId` and
 * `identificationVerificationId` as well, since no record here names the person of the externalId. 409 while the onboarding is open:
 * it would create what was erased; and where it ended before it knew whether the platform has the person, of whom webhooks may
 * come then.
 *
 * The erasure first marks the onboarding. A restart comes before the mark, and the erasure answers 409; or it comes after,
 * and is refused: none is accepted and then erased.
 *
 * @throws what must be sent again, which is a 503
 */
export function createErasePerson(deps: ErasePersonDeps) {
  const { onboardingStore, claimOnboarding, entityStore, eventStore, eraseEvents, now, log } = deps;

  return async (event: unknown): Promise<HttpAnswer> => {
    const until = now().getTime() + deadlineMs;
    const request = z.safeParse(erasure, event);
    if (!request.success) return invalidErasure(request.error);
    const { pathParameters, queryStringParameters = {} } = request.data;
    const onboardingId = onboardingIdOf(pathParameters.externalId);
    const begun = await retryOnConflict(claimRetries, async () => {
      const row = await onboardingStore.load(onboardingId);
      const keys = keysOf(stateOf(row), queryStringParameters);
      const refusal = refusalOf(row, keys);
      if (refusal !== undefined) return { refusal };
      if (!(await claimOnboarding.begin(onboardingId, row, keys.length > 0))) throw conflict();
      return { keys };
    });
    if ('refusal' in begun) return begun.refusal;
    return eraseAll(pathParameters.externalId, begun.keys, queryStringParameters, until);
  };

  async function eraseAll(externalId: string, keys: readonly EntityKey[], named: Named, until: number) {
    const onboardingId = onboardingIdOf(externalId);
    for (const key of keys) await erase(key);
    const names = { externalId, ids: keys.map(({ id }) => id) };
    const { unnamed, continueFrom } = await eraseEvents(names, named.continueFrom, until);
    if (unnamed.length > 0) return notDone(withUnnamed(named, unnamed));
    if (continueFrom !== undefined) return notDone({ ...named, continueFrom });
    // Last, since the onboarding knows the ids that a repeated call needs.
    if (!(await claimOnboarding.end(onboardingId))) return problem(onboardingOpen, wasRestarted);
    log.info('person erased', { onboardingId });
    return { statusCode: 204 };
  }

  function erase(key: EntityKey): Promise<void> {
    return entityStore.erase(key, async (eventIds) => {
      await mapConcurrent(eventIds, atOnce, eventStore.erase);
    });
  }
}

const wasRestarted = 'The onboarding was restarted during the erasure.';

/** The answer while events are left, with the query parameters to send it again with. */
function notDone({ naturalPersonId, identificationVerificationId, continueFrom }: Named): HttpAnswer {
  const next: ErasureAnswer = {
    message: 'Events are left that may name the person: send it again, with these query parameters.',
    naturalPersonId: naturalPersonId?.join(','),
    identificationVerificationId: identificationVerificationId?.join(','),
    continueFrom,
  };
  return answer(202, next);
}
