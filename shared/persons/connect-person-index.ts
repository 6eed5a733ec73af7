import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { createEventBodies } from '#shared/events/event-bodies.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { settingsVariable, textVariable } from '#shared/lambda/env.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createFillPersonIndex, type FillPersonIndex, fillJob, fillProgress } from './fill-person-index.ts';
import { createPersonIndex, type PersonIndex } from './person-index.ts';

/** The environment variables of a function with the index of persons. */
export const personVariables = {
  PERSONS_TABLE: textVariable,
  EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
};

/** The same, of a function that fills the index. */
export const fillVariables = {
  ...personVariables,
  EVENTS_TABLE: textVariable,
  CHECKPOINTS_TABLE: textVariable,
  PLATFORM_PROFILE: settingsVariable(platformProfile),
};

const fillEnvironment = z.object(fillVariables);

export type FillEnvironment = z.infer<typeof fillEnvironment>;

export type PersonConnectionDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly eventStore: Pick<EventStore, 'read' | 'erase'>;
  readonly now: () => Date;
};

/** The index of persons, and what fills it, for a function. */
export function connectPersonIndex(
  environment: FillEnvironment,
  { dynamodb, eventStore, now }: PersonConnectionDeps,
): { readonly personIndex: PersonIndex; readonly fillPersonIndex: FillPersonIndex } {
  const personIndex = createPersonIndex({
    dynamodb,
    tableName: environment.PERSONS_TABLE,
    retentionDays: environment.EVENT_RETENTION_DAYS,
    now,
  });
  const checkpoint = createCheckpoint({
    dynamodb,
    tableName: environment.CHECKPOINTS_TABLE,
    job: fillJob,
    schema: fillProgress,
  });
  const bodies = createEventBodies({ dynamodb, tableName: environment.EVENTS_TABLE });
  const profile = environment.PLATFORM_PROFILE;
  return {
    personIndex,
    fillPersonIndex: createFillPersonIndex({ bodies, eventStore, personIndex, checkpoint, profile, now }),
  };
}
