import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import type { LaneMemory } from '#shared/aws/list/lanes.ts';
import type { ListDeps } from '#shared/aws/list/read-list.ts';
import type { Event } from '#shared/events/event.ts';
import { type CommitOptions, type Committed, type EventStore, retentionVariables } from '#shared/events/event-store.ts';
import type { WebhookDelivery } from '#shared/events/webhook-delivery.ts';
import { settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import type { Log } from '#shared/lambda/log.ts';
import type { Metrics } from '#shared/lambda/metrics.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { EventNames } from './event-subject.ts';
import {
  createEventBodies,
  createFillPersonIndex,
  type FillPersonIndex,
  type FillPersonIndexDeps,
  fillJob,
  fillProgress,
} from './fill-person-index.ts';
import { createPersonIndex, type PersonIndex } from './person-index.ts';

type CommitEventDeps = {
  readonly eventStore: Pick<EventStore, 'commit'>;
  readonly personIndex: Pick<PersonIndex, 'add' | 'remove'>;
  /** Resolves once each reader of a list knows the lanes that a webhook can enter: nothing unless given. */
  readonly rememberLanes?: LaneMemory['remember'];
  readonly log: Log;
  readonly metrics: Metrics;
};

/**
 * Adds an event to the index of persons, then commits it to the event store. @returns the outcome of the commit
 *
 * @param names by what the index is to find it, and whether it can be read
 * @throws when DynamoDB did not confirm a write
 */
export type CommitEvent = (
  event: Event,
  delivery: WebhookDelivery,
  names: EventNames,
  options?: CommitOptions,
) => Promise<Committed>;

/** The first step for every webhook, whether the platform delivered it or the drain fetched it. */
export function createCommitEvent({
  eventStore,
  personIndex,
  rememberLanes,
  log,
  metrics,
}: CommitEventDeps): CommitEvent {
  return async (event, delivery, { statement, isUnread, ...names }, options) => {
    const { eventId, eventType } = event;
    await rememberLanes?.();
    await personIndex.add({ eventId, eventType, ...statement }, names);
    const committed = await eventStore.commit(event, delivery, { ...options, isUnread });
    const { outcome, isErased } = committed;
    // A later erasure cannot remove these rows: the body that has their names is gone.
    if (isErased) await personIndex.remove(eventId, names, []);
    if (outcome === 'stored') metrics.count('EventsStored');
    if (outcome === 'duplicate') metrics.count('DuplicateDeliveries');
    // A repeated delivery may be one whose commit succeeded and whose count was lost: counted twice is better than never.
    if (outcome !== 'duplicate' && event.quarantineReason !== undefined) {
      metrics.count('EventsQuarantined');
      log.warn('event quarantined', { eventId: event.eventId, reason: event.quarantineReason });
    }
    return committed;
  };
}

/** The environment variables of a function with the index of persons. */
export const personVariables = {
  PERSONS_TABLE: textVariable,
  EVENT_RETENTION_DAYS: retentionVariables.EVENT_RETENTION_DAYS,
};

/** The same for a function that fills the index. */
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

type PersonConnectionDeps = {
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
    isFilled ||= (await checkpoint.open()).progress.walks > 0;
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
