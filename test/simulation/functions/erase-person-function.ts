import { createErasePerson } from '#functions/onboarding/erase-person.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { createEventStore } from '#shared/event-store.ts';
import { httpHandler } from '#shared/handler.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `erase-person.lambda.ts`. */
export const buildErasePerson: BuildHandler = ({ dynamodb, now, random, wait, log, environment }) => {
  const { retentionDays } = environment;
  const erasePerson = createErasePerson({
    onboardingStore: createOnboardingStore({ dynamodb, tableName: 'onboardings', now }),
    entityStore: createEntityStore({ dynamodb, tableName: 'entities', now, random, wait }),
    eventStore: createEventStore({ dynamodb, tableName: 'events', retentionDays, now }),
    log,
  });
  return toHandler(httpHandler(erasePerson, log, 'Not erased as a whole. Send it again.'));
};
