import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { connectStores, storeVariables } from '#shared/events/connect-stores.ts';
import { createListQuarantined } from '#shared/events/event-list.ts';
import { httpHandler } from '#shared/lambda/http-api.ts';
import { type ProcessDeps, textVariable } from '#shared/lambda/lambda-process.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, metricsVariables } from '#shared/lambda/metrics.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { connectFillPersonIndex, fillVariables } from '#shared/persons/fill-person-index.ts';
import {
  createEraseEvent,
  createErasePersonEvents,
  createFindPerson,
  createFindUnread,
} from '#shared/persons/person-events.ts';
import { connectPersonIndex } from '#shared/persons/person-index.ts';
import { createErasePerson } from './erase-person.ts';
import { createErasureMark } from './erasure-mark.ts';
import { createViewEvents } from './view-events.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  ...metricsVariables,
  ONBOARDINGS_TABLE: textVariable,
  ...storeVariables,
  ...fillVariables,
});

type ErasePersonHandlerDeps = Pick<ProcessDeps, 'now' | 'random' | 'wait' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
};

/** The handler of `erase-person`, as its entry exports it. */
export function createHandler({ environment, dynamodb, now, random, wait, write }: ErasePersonHandlerDeps) {
  const log = createLog({ write, now });
  const { eventStore, entityStore } = connectStores(environment, { dynamodb, now, random, wait });
  const personIndex = connectPersonIndex(environment, { dynamodb, now });
  const onboardingStore = createOnboardingStore({ dynamodb, tableName: environment.ONBOARDINGS_TABLE, now });
  const profile = environment.PLATFORM_PROFILE;
  const findPerson = createFindPerson({ personIndex, eventStore, profile });
  const eraseEvent = createEraseEvent({ personIndex, eventStore, profile });
  const erasePerson = createErasePerson({
    onboardingStore,
    erasureMark: createErasureMark({ store: onboardingStore, now, log }),
    findPerson,
    viewEvents: createViewEvents({ eventStore, profile }),
    findUnread: createFindUnread({
      listQuarantined: createListQuarantined({ dynamodb, tableName: environment.EVENTS_TABLE, now }),
      eventStore,
      profile,
    }),
    eraseEvent,
    erasePersonEvents: createErasePersonEvents({ findPerson, eraseEvent, entityStore, eventStore }),
    fillPersonIndex: connectFillPersonIndex(environment, { dynamodb, eventStore, personIndex, now }),
    now,
    log,
  });
  return httpHandler(erasePerson, {
    log,
    metrics: createMetrics({ write, now, environment: environment.ENVIRONMENT }),
    failed: 'The request was not completed.',
  });
}
