import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  type PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createCommitRecord } from '#functions/retry-undelivered/drain/commit-record.ts';
import { createDrain } from '#functions/retry-undelivered/drain/drain.ts';
import { drainProgress } from '#functions/retry-undelivered/drain/drain-progress.ts';
import type { ReadKnown } from '#functions/retry-undelivered/drain/known-deliveries.ts';
import { createRecognizeOwn } from '#functions/retry-undelivered/drain/recognize-own.ts';
import { readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { createBatchQueue } from '#shared/aws/batch-queue.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { createCommitEvent } from '#shared/persons/commit-event.ts';
import { createPlatformClient } from '#shared/platform/client/client.ts';
import { eventTypes } from '#shared/platform/profile/event-type.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { createModelPlatform, type ModelPlatformOptions, type ModelRecord } from './model-platform.ts';

/** In milliseconds: what the profile says, and what the model platform keeps to. */
export const settle = 60_000;

const webhooksUrl = 'https://partner.example/webhooks';
const foreignUrl = 'https://partner.example/other-webhooks';

/** Whether the platform shows a record with a webhook of another system. */
export function isForeign(shown: unknown): boolean {
  return JSON.stringify(shown).includes(foreignUrl);
}

/** In milliseconds. All that overlaps takes its time one after the other here. */
const patient = { attempt: 86_400_000, call: 86_400_000 };

/** What goes wrong at an I/O: before it has its effect, after, or before it has it late. */
export const faultKinds = [
  'fails before',
  'fails after',
  'fails and happens later',
  'process dies before',
  'process dies after',
  'run is asked to stop',
  'refused',
] as const;

export type Fault = { readonly at: number; readonly kind: (typeof faultKinds)[number] };

/** A webhook that the platform could not deliver, while the drain is at work. */
export type Arrival = {
  /** The number of the I/O before which it appears. */
  readonly at: number;
  /** In milliseconds: how much older than that its createdOn is. Less than the time that it takes to settle. */
  readonly lateness: number;
  /** What is wrong with the record, if anything. */
  readonly flaw?: 'no createdOn' | 'no id' | 'no body' | 'null' | 'no JSON' | 'other id' | undefined;
  /** Whether its webhook is another system's. */
  readonly isForeign?: boolean;
  /** Says the same as the one before, with other white space. */
  readonly repeats?: boolean;
};

export type WorldOptions = ModelPlatformOptions & {
  readonly faults: readonly Fault[];
  /** What goes wrong with the marks, in turn: the first attempt, the second, and so on. */
  readonly markFaults: readonly (Fault['kind'] | undefined)[];
  /** What goes wrong with the pages, in turn. */
  readonly pageFaults: readonly (Fault['kind'] | undefined)[];
  /** In I/Os: how late what happens later happens. */
  readonly delay: number;
  readonly arrivals: readonly Arrival[];
  /** In milliseconds: how far our clock is from the platform's. */
  readonly skew: number;
  /** The digits of the platform's clock: 0 for seconds, 3 or 9. */
  readonly digits: number;
  /** In milliseconds: how long an I/O takes, in turn. */
  readonly durations: readonly number[];
  /** How many turns others get before an I/O, in turn. */
  readonly turns: readonly number[];
};

/** A platform, a cloud, and runs of the drain between them. All that is recorded, and all that goes wrong, is in here. */
export function createWorld(options: WorldOptions) {
  const platform = createModelPlatform(options);
  const events = new Map<string, EventRow>();
  const handedOver = new Set<string>();
  /** Events that a run handed over although every delivery that it looked for was handed over. */
  const handedOverAgain: string[] = [];
  const lost: ModelRecord[] = [];
  const marked: ModelRecord[] = [];
  let stored: PutItemCommand['input']['Item'];
  let count = 0;
  let marks = 0;
  let pages = 0;
  let serial = 0;
  let time = Date.parse('2026-01-02T03:04:05.000Z');
  const later: { readonly at: number; readonly effect: () => unknown }[] = [];
  const lines = captureLines();
  const now = () => new Date(time + options.skew);
  const deps = { profile: { eventTypes: [...eventTypes], places: {} }, now };

  platform.onMark((all) => {
    marked.push(...all);
    lost.push(...all.filter((record) => !isSafe(record)));
  });

  /** Ours, committed, all of it, and handed over. */
  function isSafe({ shown }: ModelRecord): boolean {
    if (isForeign(shown)) return false;
    const bytes = Buffer.from(JSON.stringify(shown));
    return readUndelivered({ value: shown, bytes }, deps).intakes.every(({ event: { eventId }, delivery }) => {
      const ids = events.get(eventId)?.deliveryIds ?? [];
      return ids.some((id) => id.endsWith(`#${delivery.deliveryId}`)) && handedOver.has(eventId);
    });
  }

  function arrive({ lateness, flaw, repeats = false, isForeign: foreign = false }: Omit<Arrival, 'at'>): void {
    if (!repeats) serial += 1;
    const id = `00000000-0000-4000-8000-${String(platform.records().length + marked.length).padStart(12, '0')}`;
    const createdOn = timestampOf(time - lateness, options.digits);
    const body = flaw === 'no JSON' ? `{"serial":${serial}` : `{"serial":${serial}${repeats ? ' }' : '}'}`;
    const webhook = { eventType: eventTypes[serial % 3], url: `${foreign ? foreignUrl : webhooksUrl}/a` };
    const whole = { id, webhook, body, errorMessage: '503', createdOn: shownAs(createdOn, serial) };
    platform.add({ id, createdOn, shown: flawed(whole, flaw) });
  }

  type Run = {
    readonly process: AbortController;
    readonly stop: AbortController;
    /** By event, deliveries that this run has to hand over: it has counted them, or read that they are not handed over yet. */
    readonly owed: Map<string, ReadonlySet<string>>;
  };
  const owe = ({ owed }: Run, eventId: string, keys: readonly string[]) =>
    void owed.set(eventId, new Set([...(owed.get(eventId) ?? []), ...keys]));
  const never = () => new Promise<never>(() => undefined);

  type Effect<Result> = {
    readonly effect: () => Result | Promise<Result>;
    /** What it answers where it refuses. */
    readonly refusal?: Result;
    /** What fails for this record, besides other faults. */
    readonly fault?: Fault['kind'] | undefined;
  };

  /** What every I/O of a run passes through. */
  async function io<Result>(run: Run, { effect, refusal, fault }: Effect<Result>): Promise<Result> {
    count += 1;
    const at = count;
    for (let turn = options.turns[at % options.turns.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve();
    if (run.process.signal.aborted) return never();
    time += options.durations[at % options.durations.length] ?? 0;
    for (const arrival of options.arrivals) if (arrival.at === at) arrive(arrival);
    const due = later.filter((one) => one.at <= at);
    for (const one of due) {
      later.splice(later.indexOf(one), 1);
      await Promise.resolve(one.effect()).catch(() => undefined);
    }
    const kind = fault ?? options.faults.find((one) => one.at === at)?.kind;
    if (kind === 'run is asked to stop') run.stop.abort();
    if (kind === 'process dies before') run.process.abort();
    if (run.process.signal.aborted) return never();
    if (kind === 'fails and happens later') later.push({ at: at + options.delay, effect: async () => effect() });
    if (kind === 'fails before' || kind === 'fails and happens later') throw new TypeError('It fails.');
    if (kind === 'refused') return refusal ?? Promise.reject(new TypeError('It fails.'));
    const result = await effect();
    if (kind === 'process dies after') run.process.abort();
    if (run.process.signal.aborted) return never();
    if (kind === 'fails after') throw new TypeError('Its answer is lost.');
    return result;
  }

  function dynamodbOf(run: Run): Pick<DynamoDBClient, 'send'> {
    const send = (command: GetItemCommand | PutItemCommand) =>
      io(run, {
        effect: () => {
          if (command instanceof GetItemCommand) return { Item: stored };
          const expected = command.input.ExpressionAttributeValues?.[':version']?.N;
          if (stored?.version?.N !== expected)
            throw new ConditionalCheckFailedException({ message: 'conflict', $metadata: {} });
          stored = command.input.Item;
          return {};
        },
      });
    return { send } as unknown as Pick<DynamoDBClient, 'send'>;
  }

  function sqsOf(run: Run): Pick<SQSClient, 'send'> {
    const send = ({ input: { Entries = [] } }: SendMessageBatchCommand) =>
      io(run, {
        effect: () => {
          for (const { MessageBody = '{}' } of Entries) {
            const { eventId } = JSON.parse(MessageBody);
            if (!run.owed.get(eventId)?.size) handedOverAgain.push(eventId);
            handedOver.add(eventId);
          }
          return { Successful: Entries.map(({ Id }) => ({ Id })) };
        },
        refusal: { Successful: [] },
      });
    return { send } as unknown as Pick<SQSClient, 'send'>;
  }

  function readKnownOf(run: Run): ReadKnown {
    return (eventIds) =>
      io(run, {
        effect: () => {
          const rows = new Map(eventIds.map((eventId) => [eventId, events.get(eventId)]));
          // An overlapping run may note the rest before this run reads again: what the first read says still holds.
          for (const [eventId, row] of rows)
            owe(run, eventId, row?.deliveryIds.filter((id) => !row.handedOver?.includes(id)) ?? []);
          return (eventId) => {
            const { deliveryIds, handedOver: ids = [] } = rows.get(eventId) ?? {};
            return deliveryIds && { deliveryIds, handedOver: ids };
          };
        },
      });
  }

  function eventStoreOf(run: Run): Pick<EventStore, 'commit' | 'noteHandOver'> {
    return {
      commit: ({ eventId, eventType, quarantineReason }, { deliveryId, receivedOn, deflatedBody }) =>
        io(run, {
          effect: () => {
            const key = `${receivedOn}#${deliveryId}`;
            const row = events.get(eventId);
            if (row?.deliveryIds.includes(key)) return { outcome: 'repeated', firstReceivedOn: row.receivedOn };
            owe(run, eventId, [key]);
            const deliveryIds = [...(row?.deliveryIds ?? []), key];
            const { length: deliveries } = deliveryIds;
            const rest = { receivedOn, deflatedBody, expiresAt: 0, handedOver: row?.handedOver };
            events.set(eventId, { eventId, eventType, quarantineReason, deliveries, deliveryIds, ...rest });
            return { outcome: row === undefined ? 'stored' : 'duplicate', firstReceivedOn: receivedOn };
          },
        }),
      noteHandOver: (eventId, deliveries) =>
        io(run, {
          effect: () => {
            const row = events.get(eventId);
            const keys = deliveries.map(({ deliveryId, receivedOn }) => `${receivedOn}#${deliveryId}`);
            run.owed.set(eventId, (run.owed.get(eventId) ?? new Set()).difference(new Set(keys)));
            if (row !== undefined) events.set(eventId, { ...row, handedOver: [...(row.handedOver ?? []), ...keys] });
          },
        }),
    };
  }

  /** One run, as an invocation of the function in a new process. Gives what it threw, if it did. */
  async function drain(): Promise<unknown> {
    const run: Run = { process: new AbortController(), stop: new AbortController(), owed: new Map() };
    const client = createPlatformClient({
      baseUrl: 'https://platform.example',
      profile: platformProfile.parse({ pageSize: 3, undelivered: { settle }, deadlines: patient }),
      tokens: { read: async () => 'token', reportRejected: async () => undefined },
      fetch: (url, init) =>
        io(run, {
          effect: () => platform.answer(new Request(String(url), init)),
          refusal: Response.json({ message: 'refused' }, { status: 400 }),
          fault: init?.method === 'POST' ? options.markFaults[marks++] : options.pageFaults[pages++],
        }),
      now,
      random: () => 0.5,
      wait: async (milliseconds) => {
        time += milliseconds;
      },
      timeout: () => new AbortController().signal,
    });
    const eventStore = eventStoreOf(run);
    const queue = createBatchQueue({ sqs: sqsOf(run), queueUrl: 'https://sqs.example' });
    const commitEvent = createCommitEvent({ eventStore, personIndex: { add: async () => undefined }, ...lines });
    const drainOnce = createDrain({
      client,
      checkpoint: createCheckpoint({
        dynamodb: dynamodbOf(run),
        tableName: 'checkpoints',
        job: 'drain',
        schema: drainProgress,
      }),
      commitRecord: createCommitRecord({
        ...deps,
        ...lines,
        eventStore,
        readKnown: readKnownOf(run),
        commitEvent,
        queue,
        recognizeOwn: createRecognizeOwn({ webhooksUrl, readSecret: async () => ({ current: 'secret' }), now }),
      }),
      now,
      ...lines,
    });
    const died = Promise.withResolvers<void>();
    run.process.signal.addEventListener('abort', () => died.resolve());
    return Promise.race([drainOnce(run.stop.signal), died.promise]).then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  return {
    platform,
    lines,
    events,
    handedOver,
    handedOverAgain,
    /** What was marked before it was safe. */
    lost,
    marked,
    arrive,
    drain,
    /** How many I/Os there have been. */
    count: () => count,
    /** Time goes by between runs, in milliseconds. */
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

export type World = ReturnType<typeof createWorld>;

/** With nine digits, so that it sorts as text. */
function timestampOf(time: number, digits: number): string {
  const text = new Date(time).toISOString().replace('Z', '000000Z');
  return digits === 0 ? text.replace(/\.\d+/, '.000000000') : text;
}

/** The same time, written in another way. */
function shownAs(createdOn: string, serial: number): string {
  return [createdOn, createdOn.replace(/\.?0+Z$/, 'Z'), createdOn.replace('Z', '+00:00')][serial % 3] ?? createdOn;
}

function flawed(whole: Readonly<Record<string, unknown>>, flaw: Arrival['flaw']): unknown {
  const { id, body, createdOn, ...rest } = whole;
  if (flaw === 'no createdOn') return { ...rest, id, body };
  if (flaw === 'no id') return { ...rest, body, createdOn };
  if (flaw === 'no body') return { ...rest, id, createdOn };
  if (flaw === 'other id') return { ...whole, id: `id ${String(id)}` };
  return flaw === 'null' ? null : whole;
}
