import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { rulesWith } from '#shared/entities/entity-rules.ts';
import { createEntityStore } from '#shared/entity-store.ts';
import { settingsVariable, textVariable } from '#shared/env.ts';
import { createEventStore } from '#shared/event-store.ts';
import { httpHandler } from '#shared/handler.ts';
import type { ProcessDeps } from '#shared/lambda-process.ts';
import { createLog } from '#shared/log.ts';
import { declaredStatuses } from '#shared/platform/declared-statuses.ts';
import { createLookUp } from './look-up.ts';

/** What the stacks put into the environment. */
export const variables = z.object({
  EVENTS_TABLE: textVariable,
  ENTITIES_TABLE: textVariable,
  /** Of the platform profile, of which it needs nothing else. */
  DECLARED_STATUSES: settingsVariable(declaredStatuses),
  EVENT_RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
});

export type LookUpHandlerDeps = Pick<ProcessDeps, 'now' | 'random' | 'wait' | 'write'> & {
  readonly environment: z.infer<typeof variables>;
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
};

/** The handler of `look-up`, as its entry exports it. */
export function createHandler({ environment, dynamodb, now, random, wait, write }: LookUpHandlerDeps) {
  return httpHandler(
    createLookUp({
      entityStore: createEntityStore({
        dynamodb,
        tableName: environment.ENTITIES_TABLE,
        rules: rulesWith(environment.DECLARED_STATUSES),
        now,
        random,
        wait,
      }),
      eventStore: createEventStore({
        dynamodb,
        tableName: environment.EVENTS_TABLE,
        retentionDays: environment.EVENT_RETENTION_DAYS,
        now,
      }),
    }),
    createLog({ write, now }),
    'It could not be looked up now. Ask again.',
  );
}
