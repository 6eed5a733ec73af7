import type { ServerResponse } from 'node:http';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { createCommitRecord } from '#functions/retry-undelivered/drain/commit-record.ts';
import { createDrain } from '#functions/retry-undelivered/drain/drain.ts';
import { drainProgress } from '#functions/retry-undelivered/drain/drain-progress.ts';
import { createReadKnown, knownAttributes } from '#functions/retry-undelivered/drain/known-deliveries.ts';
import { createRecognizeOwn } from '#functions/retry-undelivered/drain/recognize-own.ts';
import { createBatchGet } from '#shared/aws/batch-get.ts';
import { createBatchQueue } from '#shared/aws/batch-queue.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { type EventTypes, identifyEvent } from '#shared/events/event.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { createCommitEvent } from '#shared/persons/commit-event.ts';
import { createPersonIndex } from '#shared/persons/person-index.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import {
  type PlatformServer,
  type Received,
  startPlatformServer,
} from '#test/shared/platform/client/platform-server.ts';
import { createTestClient } from '#test/shared/platform/client/test-client.ts';
import { createModelPlatform, type ModelPlatformOptions } from './model-platform.ts';

export const customers = 'CUSTOMER_NOTIFICATION';
export const webhooksUrl = 'https://ours.example/webhooks';
export const secret = 'ours'.repeat(16);
export const canary = 'Erika Mustermann';
export const profile: EventTypes = { eventTypes: [customers], places: {} };

/** A moment of a call of the drain, to AWS or to the platform. */
export type CallMoment = { readonly when: 'before' | 'after'; readonly operation: string };

export type TrialOptions = Partial<ModelPlatformOptions> & { readonly pageSize?: number };

/** Undelivered webhooks of a platform, and a drain that has never run. */
export type Trial = ReturnType<typeof openTrial>;

/** What the tests of a file share: DynamoDB, SQS, and a socket for the platform. */
export type DrainBench = {
  readonly emulators: Emulators;
  readonly open: (options?: TrialOptions) => Trial;
  readonly close: () => Promise<void>;
};

export async function startDrainBench(): Promise<DrainBench> {
  const emulators = await startEmulators();
  const server = await startPlatformServer();
  let serial = 0;
  return {
    emulators,
    open: (options = {}) => {
      serial += 1;
      return openTrial(emulators, server, `trial ${serial}`, options);
    },
    close: async () => {
      await server.close();
      await emulators.close();
    },
  };
}

function openTrial(
  emulators: Emulators,
  server: PlatformServer,
  name: string,
  { pageSize = 3, ...like }: TrialOptions,
) {
  const { dynamodb, sqs, queueUrl } = emulators;
  const platform = createModelPlatform({
    order: 'ascending',
    cursors: 'keyset',
    end: 'empty',
    ties: 'all',
    unknownMark: 404,
    ...like,
  });
  const clock = { time: Date.parse('2026-01-02T03:04:05.000Z') };
  const now = () => new Date(clock.time);
  const lines = captureLines(now);
  let count = 0;
  let onCall: (moment: CallMoment) => Promise<void> | void = () => undefined;

  server.answerWith(async (received, response) => {
    const operation = received.method === 'GET' ? 'list' : 'mark';
    try {
      await onCall({ when: 'before', operation });
      const answer = await platform.answer(toRequest(server.baseUrl, received));
      await onCall({ when: 'after', operation });
      await writeAnswer(answer, response);
    } catch {
      response.destroy();
    }
  });
  emulators.watch(({ when, operation }) => onCall({ when, operation }));

  const { tableName } = emulators;
  const eventStore = createEventStore({ dynamodb, tableName, retentionDays: 30, now });
  const attributes = { [tableName]: knownAttributes };
  const batchGet = createBatchGet({ dynamodb, attributes, random: () => 0, wait: async () => undefined });

  let refused: string | undefined;

  /** SQS, which takes every message but those of the refused event. */
  const send = async (command: unknown) => {
    if (!(command instanceof SendMessageBatchCommand) || refused === undefined) return sqs.send(command as never);
    const { QueueUrl, Entries = [] } = command.input;
    const isRefused = ({ MessageBody = '' }: { MessageBody?: string | undefined }) =>
      readWebhookMessage(MessageBody).eventId === refused;
    const taken = Entries.filter((entry) => !isRefused(entry));
    if (taken.length === 0) return { Successful: [] };
    return sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries: taken }));
  };

  /** One run, in a process of its own. */
  async function run(stop: AbortSignal = new AbortController().signal): Promise<void> {
    const { client } = createTestClient(server.baseUrl, {
      profile: { pageSize },
      now,
      wait: async (milliseconds) => {
        clock.time += milliseconds;
      },
    });
    const drain = createDrain({
      client,
      checkpoint: createCheckpoint({
        dynamodb,
        tableName: emulators.tableNameOf('checkpoints'),
        job: name,
        schema: drainProgress,
      }),
      commitRecord: createCommitRecord({
        eventStore,
        readKnown: createReadKnown({ batchGet, tableName, now }),
        commitEvent: createCommitEvent({
          eventStore,
          personIndex: createPersonIndex({
            dynamodb,
            tableName: emulators.tableNameOf('persons'),
            retentionDays: 30,
            now,
          }),
          ...lines,
        }),
        queue: createBatchQueue({ sqs: { send } as Pick<SQSClient, 'send'>, queueUrl }),
        recognizeOwn: createRecognizeOwn({ webhooksUrl, readSecret: async () => ({ current: secret }), now }),
        profile,
        now,
        ...lines,
      }),
      now,
      ...lines,
    });
    await drain(stop);
  }

  return {
    platform,
    clock,
    lines,
    eventStore,
    run,
    /** Runs five minutes apart. */
    runs: async (times: number) => {
      for (let left = times; left > 0; left -= 1) {
        await run();
        clock.time += 5 * 60_000;
      }
    },
    /** SQS takes every message but those of this event from now on; every message if there is none. */
    refuseMessagesOf: (eventId: string | undefined) => {
      refused = eventId;
    },
    watch: (watcher: (moment: CallMoment) => Promise<void> | void) => {
      onCall = watcher;
    },
    /** What the platform was asked. */
    asked: () => server.requests.map(({ method, url, body }) => ({ method, url, body })),
    /** A webhook that could not be delivered, a second after the one before. */
    add: (body = newBody(), shown: Readonly<Record<string, unknown>> = {}) => {
      count += 1;
      clock.time += 1_000;
      const id = `00000000-0000-4000-8000-${String(count).padStart(12, '0')}`;
      const createdOn = isTime(shown['createdOn']) ? shown['createdOn'] : now().toISOString();
      const whole = {
        id,
        webhook: { eventType: customers, url: `${webhooksUrl}/${customers}` },
        body,
        errorMessage: 'x',
        createdOn,
      };
      platform.add({ id, createdOn, shown: { ...whole, ...shown } });
      return { id, createdOn, body, eventId: identifyEvent(customers, Buffer.from(body), profile).eventId };
    },
    /** The ids of the events that were handed over since the last time. */
    handedOver: async () => {
      onCall = () => undefined;
      return (await emulators.receiveAll()).flatMap((text) => readWebhookMessage(text).eventId ?? []);
    },
    /** What was counted and measured since the last time. */
    counted: (): Readonly<Record<string, unknown>> => {
      const { PlatformCallDuration: _calls, ...counts } = lines.flushed();
      return counts;
    },
  };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

let bodies = 0;

/** That no other test has. */
export function newBody(): string {
  bodies += 1;
  return `{"name":"${canary}","serial":${bodies}}`;
}

function toRequest(baseUrl: string, { method, url, body }: Received): Request {
  return new Request(new URL(url, baseUrl), { method, ...(method !== 'GET' && { body }) });
}

async function writeAnswer(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}
