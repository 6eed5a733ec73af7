import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type Checkpoint, createCheckpoint } from '#shared/aws/checkpoint.ts';
import { wholeNumber } from '#shared/aws/dynamodb.ts';
import { type LaneProgress, type Lanes, walkLanes } from '#shared/aws/list/lanes.ts';
import type { ListDeps } from '#shared/aws/list/read-list.ts';
import { eventKeys, readItem } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { settingsVariable, textVariable } from '#shared/lambda/lambda-process.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';
import { namesOf, readSubject } from './event-subject.ts';
import { type PersonIndex, personVariables } from './person-index.ts';

/** The body of an event, with its type. The body may hold personal data, and is empty if the event is erased. */
export type EventBody = {
  readonly eventId: string;
  readonly eventType: string;
  readonly deflatedBody: Uint8Array;
  /** In seconds since 1970. */
  readonly expiresAt: number;
  readonly isErased: boolean;
  /** Whether release 0.2.0 has listed it by its type only. */
  readonly isListedByTypeOnly: boolean;
};

/**
 * Every event that has a body still, or that is listed by its type only, in lanes. Reads the whole table. A position is the id of the last event.
 *
 * @throws `EventRowError` when a row is not what we write
 */
export type EventBodies = Lanes<{ readonly events: readonly EventBody[]; readonly next: string | undefined }>;

type EventBodiesDeps = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  /** Rows that a page reads; 500 unless given. */
  readonly pageSize?: number;
};

const item = z.object({
  eventId: z.object({ S: z.string() }),
  eventType: z.object({ S: z.string() }),
  deflatedBody: z.object({ B: z.instanceof(Uint8Array) }),
  expiresAt: wholeNumber,
  erasedOn: z.optional(z.unknown()),
  listLane: z.optional(z.unknown()),
  receivedLane: z.optional(z.unknown()),
});

const isListedByTypeOnly = 'attribute_exists(listLane) AND attribute_not_exists(receivedLane)';

const segments = 4;

export function createEventBodies({ dynamodb, tableName, pageSize = 500 }: EventBodiesDeps): EventBodies {
  async function readPage(Segment: number, after: string | undefined) {
    const { Items = [], LastEvaluatedKey: last } = await dynamodb.send(
      new ScanCommand({
        TableName: tableName,
        Segment,
        TotalSegments: segments,
        // A strongly consistent read: events that were just stored must not be missed.
        ConsistentRead: true,
        FilterExpression: `attribute_not_exists(erasedOn) OR (${isListedByTypeOnly})`,
        ProjectionExpression: Object.keys(item.shape).join(', '),
        Limit: pageSize,
        ...(after !== undefined && { ExclusiveStartKey: { [eventKeys.partition]: { S: after } } }),
      }),
    );
    return { events: Items.map(readBody), next: last?.[eventKeys.partition]?.S };
  }

  return { lanes: segments, readPage };
}

function readBody(row: unknown): EventBody {
  const { eventId, eventType, deflatedBody, expiresAt, erasedOn, listLane, receivedLane } = readItem(item, row);
  return {
    eventId: eventId.S,
    eventType: eventType.S,
    deflatedBody: deflatedBody.B,
    expiresAt,
    isErased: erasedOn !== undefined,
    isListedByTypeOnly: listLane !== undefined && receivedLane === undefined,
  };
}

/** The row of the checkpoints table. */
export const fillJob = 'person-index';

/** How far the indexes of persons and of received events have been filled with events that an earlier release has stored. */
export const fillProgress = z.object({
  /** Of each lane of the events table its last event, or that it is not begun, or over. */
  lanes: z.catch(z.array(z.string()), []),
  /** When the first run began. ISO 8601, UTC. */
  firstOn: z.optional(timestamp),
  /** Complete walks through the whole table. */
  walks: z.catch(z.int(), 0),
});

export type FillProgress = z.output<typeof fillProgress>;

export type FillPersonIndexDeps = {
  readonly bodies: EventBodies;
  readonly eventStore: Pick<EventStore, 'read' | 'erase' | 'listAmongAll'>;
  readonly personIndex: Pick<PersonIndex, 'add' | 'remove'>;
  readonly checkpoint: Checkpoint<FillProgress>;
  readonly profile: Pick<PlatformProfile, 'places'>;
  readonly now: () => Date;
};

const hour = 3_600_000;

/**
 * In milliseconds since the first run began: when each walk begins at the earliest. Functions of an earlier release store events without
 * the index until the deployment is over: within the hour as a rule, and within a day.
 */
const walksAfter = [0, hour, 24 * hour];

const concurrency = 10;

/**
 * Fills the index of persons, and that of received events, with the events that an earlier release has stored, from where the run before
 * it has stopped. Walks through the events table at once, after an hour and after a day: at other times it reads the checkpoint only.
 *
 * @param mayContinue is called before each page
 * @param goal `usable`: after one whole walk, nothing more is done
 * @returns whether each event of the earlier release is in the index
 * @throws {CheckpointConflictError} when another run has continued from here
 */
export type FillPersonIndex = (mayContinue: () => boolean, goal?: 'usable' | 'complete') => Promise<boolean>;

export function createFillPersonIndex(deps: FillPersonIndexDeps): FillPersonIndex {
  const { bodies, eventStore, personIndex, checkpoint, profile, now } = deps;

  return async (mayContinue, goal = 'complete') => {
    const journal = await checkpoint.open();
    const { lanes, walks, firstOn = now().toISOString() } = journal.progress;
    const nextAfter = goal === 'usable' && walks > 0 ? undefined : walksAfter[walks];
    if (nextAfter === undefined || now().getTime() - Date.parse(firstOn) < nextAfter) return true;
    const from: LaneProgress<string>[] = Array.from({ length: bodies.lanes }, (_, lane) => lanes[lane] ?? 'begin');
    const walked = await walkLanes(bodies, from, {
      mayContinue,
      onPage: async ({ events }) => {
        await mapConcurrent(events, concurrency, async (event) => {
          if (event.isListedByTypeOnly) await eventStore.listAmongAll(event.eventId);
          if (event.isErased) return;
          const { subject, body, otherPieces } = await readSubject(event, profile, eventStore.read);
          const { eventId, eventType, expiresAt } = event;
          if (subject === 'erased in part') {
            for (const one of [...otherPieces, eventId]) await eventStore.erase(one);
            return;
          }
          const { statedPerson, isUnread: _, ...names } = namesOf(subject, body);
          if (!(await personIndex.add({ eventId, eventType, ...statedPerson }, names, expiresAt))) return;
          // Erased since the page was read: a later erasure could not remove these rows without the body.
          if ((await eventStore.read(eventId))?.erasedOn !== undefined) await personIndex.remove(eventId, names, []);
        });
      },
    });
    const isOver = walked.every((at) => at === 'end');
    await journal.save({ firstOn, ...(isOver ? { lanes: [], walks: walks + 1 } : { lanes: walked, walks }) });
    return isOver || walks > 0;
  };
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

/** The environment variables of a function that fills the index of persons. */
export const fillVariables = {
  ...personVariables,
  EVENTS_TABLE: textVariable,
  CHECKPOINTS_TABLE: textVariable,
  PLATFORM_PROFILE: settingsVariable(platformProfile),
};

const fillEnvironment = z.object(fillVariables);

type FillEnvironment = z.infer<typeof fillEnvironment>;

/** What fills the index of persons, for a function. */
export function connectFillPersonIndex(
  environment: FillEnvironment,
  deps: Pick<EventBodiesDeps, 'dynamodb'> & Pick<FillPersonIndexDeps, 'eventStore' | 'personIndex' | 'now'>,
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
