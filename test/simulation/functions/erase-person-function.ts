import { createEraseEvents } from '#functions/onboarding/erase-events.ts';
import { createErasePerson } from '#functions/onboarding/erase-person.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { createEventBodies } from '#shared/event-bodies.ts';
import { createEventStore } from '#shared/event-store.ts';
import { httpHandler } from '#shared/handler.ts';
import { createOnboardingStore } from '#shared/onboarding-store.ts';
import { type BuildHandler, toHandler } from './process-deps.ts';

/** As `erase-person.lambda.ts`. */
export const buildErasePerson: BuildHandler = ({ dynamodb, now, random, wait, log, environment }) => {
  const { retentionDays, PLATFORM_PROFILE: profile } = environment;
  const eventStore = createEventStore({ dynamodb, tableName: 'events', retentionDays, now });
  const entityStore = createEntityStore({ dynamodb, tableName: 'entities', now, random, wait });
  const erasePerson = createErasePerson({
    onboardingStore: createOnboardingStore({ dynamodb, tableName: 'onboardings', now }),
    entityStore,
    eventStore,
    eraseEvents: createEraseEvents({
      bodies: createEventBodies({ dynamodb, tableName: 'events' }),
      eventStore,
      entityStore,
      profile,
      now,
    }),
    now,
    log,
  });
  return toHandler(httpHandler(erasePerson, log, 'Not erased as a whole. Send it again.'));
};
