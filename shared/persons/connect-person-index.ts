import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import type { ListDeps } from '#shared/aws/list/read-list.ts';
import { createEventBodies } from '#shared/events/event-bodies.ts';
import { retentionVariables } from '#shared/events/event-variables.ts';
import { settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import {
  createFillPersonIndex,
  type FillPersonIndex,
  type FillPersonIndexDeps,
  fillJob,
  fillProgress,
} from './fill-person-index.ts';
import { createPersonIndex, type PersonIndex } from './person-index.ts';

/** The environment variables of a function with the index of persons. */
export const personVariables = {
  PERSONS_TABLE: textVariable,
  EVENT_RETENTION_DAYS: retentionVariables.EVENT_RETENTION_DAYS,
};

/** The same, of a function that fills the index. */
export const fillVariables = {
  ...personVariables,
  EVENTS_TABLE: textVariable,
  CHECKPOINTS_TABLE: textVariable,
  PLATFORM_PROFILE: settingsVariable(platformProfile),
};

const personEnvironment = z.object(personVariables);
const fillEnvironment = z.object(fillVariables);

export type PersonEnvironment = z.infer<typeof personEnvironment>;
export type FillEnvironment = z.infer<typeof fillEnvironment>;

export type PersonConnectionDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly now: () => Date;
};

/** The index of persons, for a function. */
export function connectPersonIndex(environment: PersonEnvironment, deps: PersonConnectionDeps): PersonIndex {
  const { PERSONS_TABLE: tableName, EVENT_RETENTION_DAYS: retentionDays } = environment;
  return createPersonIndex({ ...deps, tableName, retentionDays });
}

/** Whether a walk has filled the indexes once. Asks DynamoDB until it has. */
export function createIsFilled({ dynamodb, tableName }: ListDeps): () => Promise<boolean> {
  const checkpoint = createCheckpoint({ dynamodb, tableName, job: fillJob, schema: fillProgress });
  let isFilled = false;
  return async () => {
    isFilled ||= (await checkpoint.open()).progress.isUsable;
    return isFilled;
  };
}

/** What fills the index of persons, for a function. */
export function connectFillPersonIndex(
  environment: FillEnvironment,
  deps: PersonConnectionDeps & Pick<FillPersonIndexDeps, 'eventStore' | 'personIndex'>,
): FillPersonIndex {
  const { dynamodb, ...others } = deps;
  return createFillPersonIndex({
    ...others,
    bodies: createEventBodies({ dynamodb, tableName: environment.EVENTS_TABLE }),
    checkpoint: createCheckpoint({
      dynamodb,
      tableName: environment.CHECKPOINTS_TABLE,
      job: fillJob,
      schema: fillProgress,
    }),
    profile: environment.PLATFORM_PROFILE,
  });
}
