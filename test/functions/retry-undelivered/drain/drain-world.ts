import { setImmediate } from 'node:timers/promises';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SendMessageBatchCommand, SendMessageBatchCommandOutput, SQSClient } from '@aws-sdk/client-sqs';
import {
  createCommitRecord,
  createReadKnown,
  knownAttributes,
} from '#functions/retry-undelivered/drain/commit-record.ts';
import { createDrain } from '#functions/retry-undelivered/drain/drain.ts';
import { drainProgress } from '#functions/retry-undelivered/drain/drain-progress.ts';
import { createRecognizeOwn } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { createBatchGet } from '#shared/aws/dynamodb.ts';
import { createBatchQueue } from '#shared/aws/queue.ts';
import { identifyEvent } from '#shared/events/event.ts';
import { type EventRow, readEventRow } from '#shared/events/event-row.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { createCommitEvent, createPersonIndex } from '#shared/persons/person-index.ts';
import { createPlatformClient } from '#shared/platform/client/client.ts';
import type { PlatformTimes } from '#shared/platform/fields/timestamp.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';
import { createModelPlatform, type ModelPlatformOptions } from './model-platform.ts';

export const eventType = 'CUSTOMER_NOTIFICATION';
export const webhooksUrl = 'https://ours.example/webhooks';
export const secret = 'ours'.repeat(16);
export const profile = { eventTypes: [...eventTypes], places: {}, times: {} };

/** A call of a run: to AWS, by the name of its operation; or to the platform, `list` or `mark`. */
export type Call<Answer> = {
  readonly operation: string;
  readonly perform: () => Answer | Promise<Answer>;
  /** The answer of a service that refuses the call. Without it, the call throws. */
  readonly refuse?: () => Answer;
};

/** Performs each call of a run, or has it fail. */
export type Gate = <Answer>(call: Call<Answer>) => Promise<Answer>;

export type Moment = { readonly when: 'before' | 'after'; readonly operation: string };

export type WorldOptions = Partial<ModelPlatformOptions> & {
  readonly pageSize?: number;
  /** In milliseconds: `undelivered.settle` of the profile. */
  readonly settle?: number;
  /** In milliseconds: how far our clock is ahead of the platform's. */
  readonly skew?: number;
  /** Of the profile. */
  readonly times?: PlatformTimes;
};

export type RunOptions = { readonly stop?: AbortSignal; readonly gate?: Gate };

export type Added = { readonly id: string; readonly createdOn: string; readonly eventId: string };

export type DrainWorld = ReturnType<typeof createDrainWorld>;

/** In milliseconds: the tests have clocks of their own. */
const deadlines = { attempt: 86_400_000, call: 86_400_000 };

/** The undelivered webhooks of a platform, tables and a queue in memory, and runs of the drain on them. */
export function createDrainWorld({ pageSize = 3, settle = 60_000, skew = 0, times = {}, ...like }: WorldOptions = {}) {
  const platform = createModelPlatform({
    order: 'ascending',
    cursors: 'keyset',
    end: 'empty',
    ties: 'all',
    unknownMark: 404,
    ...like,
  });
  const clock = { time: Date.parse('2026-01-02T03:04:05.000Z') };
  const now = () => new Date(clock.time + skew);
  const lines = captureLines(now);
  const tables = createDynamoDb(simulatedTables);
  const handedOver: string[] = [];
  const everHandedOver = new Set<string>();
  const lists: (string | null)[] = [];
  const marks: string[] = [];
  let refusedEvent: string | undefined;
  let serial = 0;
  let watcher: (moment: Moment) => Promise<void> | void = () => undefined;

  const watched: Gate = async ({ operation, perform }) => {
    await watcher({ when: 'before', operation });
    await setImmediate();
    const answer = await perform();
    await watcher({ when: 'after', operation });
    return answer;
  };

  function dynamodbBehind(gate: Gate): Pick<DynamoDBClient, 'send'> {
    const send = (command: Command) =>
      gate({
        operation: command.constructor.name.replace(/Command$/, ''),
        perform: () => tables.perform(command),
      });
    return { send } as unknown as Pick<DynamoDBClient, 'send'>;
  }

  function sqsBehind(gate: Gate): Pick<SQSClient, 'send'> {
    const send = ({ input: { Entries = [] } }: SendMessageBatchCommand) =>
      gate<Pick<SendMessageBatchCommandOutput, 'Successful'>>({
        operation: 'SendMessageBatch',
        perform: () => {
          const messages = Entries.map(({ Id, MessageBody = '' }) => ({
            Id,
            eventId: readWebhookMessage(MessageBody).eventId ?? '',
          }));
          const taken = messages.filter(({ eventId }) => eventId !== refusedEvent);
          handedOver.push(...taken.map(({ eventId }) => eventId));
          for (const { eventId } of taken) everHandedOver.add(eventId);
          return { Successful: taken.map(({ Id }) => ({ Id, MessageId: Id, MD5OfMessageBody: '' })) };
        },
        refuse: () => ({ Successful: [] }),
      });
    return { send } as unknown as Pick<SQSClient, 'send'>;
  }

  function clientBehind(gate: Gate) {
    return createPlatformClient({
      baseUrl: 'https://platform.example',
      profile: platformProfile.parse({ pageSize, undelivered: { settle }, deadlines, times }),
      tokens: { read: async () => 'token', reportRejected: async () => undefined },
      fetch: (url, init) => {
        const isList = init.method === 'GET';
        if (isList) lists.push(new URL(url).searchParams.get('cursor'));
        else marks.push(JSON.parse(init.body ?? '{}').undeliveredWebhookId);
        return gate({
          operation: isList ? 'list' : 'mark',
          perform: () => platform.answer(new Request(url, init)),
          refuse: () => Response.json({ message: 'refused' }, { status: 400 }),
        });
      },
      now,
      random: () => 0.5,
      wait: async (milliseconds) => {
        clock.time += milliseconds;
      },
      timeout: () => new AbortController().signal,
    });
  }

  const eventStoreOn = (dynamodb: Pick<DynamoDBClient, 'send'>) =>
    createEventStore({ dynamodb, tableName: 'events', retentionDays: 30, now });

  /** One run, as an invocation of the function in a new process. */
  async function run({ stop = new AbortController().signal, gate = watched }: RunOptions = {}): Promise<void> {
    const dynamodb = dynamodbBehind(gate);
    const eventStore = eventStoreOn(dynamodb);
    const batchGet = createBatchGet({
      dynamodb,
      attributes: { events: knownAttributes },
      random: () => 0,
      wait: async () => undefined,
    });
    const personIndex = createPersonIndex({ dynamodb, tableName: 'persons', retentionDays: 30, now });
    const drain = createDrain({
      client: clientBehind(gate),
      checkpoint: createCheckpoint({ dynamodb, tableName: 'checkpoints', job: 'drain', schema: drainProgress }),
      commitRecord: createCommitRecord({
        eventStore,
        readKnown: createReadKnown({ batchGet, tableName: 'events', now }),
        commitEvent: createCommitEvent({ eventStore, personIndex, ...lines }),
        queue: createBatchQueue({ sqs: sqsBehind(gate), queueUrl: 'webhooks' }),
        recognizeOwn: createRecognizeOwn({ webhooksUrl, readSecret: async () => ({ current: secret }), now }),
        profile: { ...profile, times },
        now,
        ...lines,
      }),
      now,
      ...lines,
    });
    await drain(stop);
  }

  function row(eventId: string): EventRow | undefined {
    const item = tables.table('events').get({ eventId: { S: eventId } });
    return item && readEventRow(item);
  }

  /** A webhook fails. @param shown what differs in the record that is listed. @param createdOn a second after the one before unless given */
  function add(shown: Readonly<Record<string, unknown>> | null = {}, createdOn = nextSecond()): Added {
    serial += 1;
    const id = `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`;
    const body = `{"name":"Erika Mustermann","serial":${serial}}`;
    const webhook = { eventType, url: `${webhooksUrl}/${eventType}` };
    const whole = { id, webhook, body, errorMessage: '503', createdOn, ...shown };
    platform.add({ id, createdOn, shown: shown && whole });
    return { id, createdOn, eventId: identifyEvent(eventType, Buffer.from(String(whole.body)), profile).eventId };
  }

  function nextSecond(): string {
    clock.time += 1_000;
    return new Date(clock.time).toISOString();
  }

  return {
    platform,
    clock,
    lines,
    /** The event store, without the gate. */
    eventStore: eventStoreOn(dynamodbBehind(async ({ perform }) => perform())),
    /** What the platform was asked: the cursors of the pages, and the ids of the marks. */
    lists,
    marks,
    add,
    addMany: (count: number) => Array.from({ length: count }, () => add()),
    run,
    /** Runs a minute apart, as they are scheduled. */
    runs: async (count: number) => {
      for (let left = count; left > 0; left -= 1) {
        await run();
        clock.time += 60_000;
      }
    },
    /** Gets each moment of each call from now on. A throw breaks the connection. */
    watch: (next: typeof watcher) => {
      watcher = next;
    },
    /** SQS takes every message but those of this event from now on. */
    refuseMessagesOf: (eventId: string | undefined) => {
      refusedEvent = eventId;
    },
    row,
    deliveries: (added: readonly Added[]) => added.map(({ eventId }) => row(eventId)?.deliveries),
    /** The events that were handed over since the last time, sorted. */
    handedOver: () => handedOver.splice(0).toSorted(),
    wasHandedOver: (eventId: string) => everHandedOver.has(eventId),
    /** What was counted and measured since the last time. */
    counted: lines.counted,
  };
}
