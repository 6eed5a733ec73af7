import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createHandler, variables } from '#functions/onboarding/advance/handler.ts';
import { createHandler as createApi } from '#functions/onboarding/api/handler.ts';
import { createOperate } from '#functions/onboarding/api/operate-onboarding.ts';
import { createHandler as createRequestEvent } from '#functions/onboarding/request-event/handler.ts';
import { createHandler as createWaker } from '#functions/onboarding/wake/handler.ts';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform } from '#sandbox/platform/app/platform.ts';
import { createQueue } from '#shared/aws/queue.ts';
import { type EntityKey, writeState } from '#shared/entities/entity-row.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { FetchedAnswer, PlatformFetch } from '#shared/platform/client/http.ts';
import { releasedVersion } from '#test/functions/webhook-ingest/store/store-function.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import type { Command, Service } from '#test/simulation/aws/commands.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { createEventBridge } from '#test/simulation/aws/event-bridge.ts';
import { createSecretsManager } from '#test/simulation/aws/secrets-manager.ts';
import { createSqs } from '#test/simulation/aws/sqs.ts';
import { simulatedQueues, simulatedTables } from '#test/simulation/declared.ts';

const startTime = new Date('2026-11-21T08:00:00Z');

/** What the platform makes of a call, in place of its own answer. */
export type Failure =
  | {
      readonly status: number;
      readonly body?: string;
      readonly retryAfter?: string;
      /** Whether the platform does what was asked although the call fails. */
      readonly commits?: boolean;
    }
  | 'no answer'
  | 'broken connection';

/** The calls of an onboarding, by the method and the path. */
export const calls = {
  'create person': /^POST \/entities\/natural-persons$/,
  'create verification': /^POST \/entities\/identification-verifications$/,
  'send identification': /^POST \/entities\/natural-persons\/[^/]+\/identification$/,
  'list of persons': /^GET \/entities\/natural-persons$/,
  'list of verifications': /^GET \/entities\/identification-verifications$/,
  'get person': /^GET \/entities\/natural-persons\/[^/]+$/,
  'get verification': /^GET \/entities\/identification-verifications\/[^/]+$/,
} as const;

export type CallName = keyof typeof calls;

const names = Object.keys(calls) as readonly CallName[];

export type AdvanceWorldOptions = {
  /** Which calls fail, and how. */
  readonly fails: Partial<Record<CallName, Failure>>;
  readonly platform?: NonNullable<Parameters<typeof createPlatform>[0]['settings']>;
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** From 0 to 1: the jitter. The default is the worst case, in which each back-off is as short as it can be. */
  readonly random?: () => number;
};

/** In milliseconds: the schedule of the waker. */
const wakeEvery = 60_000;

export type AdvanceWorld = ReturnType<typeof createAdvanceWorld>;

/** Gets the name of an I/O, as {@link describeIo} gives it. A throw lets the I/O fail. */
export type OnIo = (io: string) => Promise<void> | void;

/** A call of the API, with the body as JSON unless it is text. */
export type Asked = {
  readonly externalId?: string;
  readonly body?: unknown;
  readonly isBase64Encoded?: boolean;
};

/**
 * `advance`, `api` and `request-event` as their entries build them, over services in memory and the sandbox platform, in virtual
 * time. Webhooks are lost: a test wakes the onboarding itself. Counts what the platform is asked for.
 */
export function createAdvanceWorld({ fails, profile = {}, random = () => 1, ...options }: AdvanceWorldOptions) {
  const written: string[] = [];
  let watching: { readonly before: OnIo; readonly after: OnIo } = { before: () => undefined, after: () => undefined };
  const platform = createPlatform({
    frozenAt: startTime,
    settings: {
      tokenLifetime: 10 * 366 * 86_400,
      acceptSelfBeforeActive: true,
      videoCallsAfter: null,
      ...options.platform,
    },
    fetch: async () => new Response(null, { status: 503 }),
    now: () => new Date(),
    onError: (error) => {
      throw error;
    },
  });
  const { now } = platform.clock;
  const time = () => now().getTime();
  const app = createPlatformApp(platform);
  const counts = new Map<CallName | 'walk of persons' | 'walk of verifications', number>();
  let failing = fails;
  let timers: readonly { readonly at: number; readonly controller: AbortController }[] = [];
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `id-${ids}`;
  };

  async function moveTo(at: number): Promise<void> {
    if (at > time()) await platform.clock.advance((at - time()) / 1_000);
    const passed = timers.filter((timer) => timer.at <= time());
    timers = timers.filter((timer) => timer.at > time());
    for (const { controller } of passed) controller.abort(new DOMException('The time is over.', 'TimeoutError'));
  }

  function count(name: Parameters<typeof counts.set>[0]): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  const fetchPlatform: PlatformFetch = async (url, { method, headers, body, signal }) => {
    const { pathname, searchParams } = new URL(url);
    const name = names.find((one) => calls[one].test(`${method} ${pathname}`));
    if (name === undefined) throw new Error(`No onboarding calls ${method} ${pathname}.`);
    await watching.before(name);
    count(name);
    if (!searchParams.has('cursor') && name === 'list of persons') count('walk of persons');
    if (!searchParams.has('cursor') && name === 'list of verifications') count('walk of verifications');
    const answer = async () => {
      const answered = await app.request(url, { method, headers, ...(body !== undefined && { body }) });
      await watching.after(name);
      return answered;
    };
    const failure = failing[name];
    if (failure === undefined) return toFetched(await answer());
    if (failure === 'broken connection') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    if (failure !== 'no answer') {
      if (failure.commits === true) await answer();
      const given = failure.retryAfter === undefined ? {} : { 'retry-after': failure.retryAfter };
      return toFetched(new Response(failure.body ?? '{}', { status: failure.status, headers: given }));
    }
    while (!signal.aborted) await moveTo(Math.min(...timers.map(({ at }) => at)));
    throw signal.reason;
  };

  const services = {
    dynamodb: createDynamoDb(simulatedTables),
    sqs: createSqs(simulatedQueues, { now: time, newId, choose: () => 0 }),
    eventBridge: createEventBridge({ newId }),
    secretsManager: createSecretsManager(
      {
        'platform-token': JSON.stringify({
          accessToken: platform.tokens.issue().accessToken,
          issuedAt: startTime,
          expiresAt: new Date('2036-01-01'),
          pacedUntil: new Date(0),
        }),
      },
      { now: time, newId },
    ),
  };
  const clientOf = <Client>({ perform }: { readonly perform: Service }) =>
    ({ send: async (command: Command) => perform(command) }) as unknown as Client;
  const watchedClientOf = <Client>({ perform }: { readonly perform: Service }) =>
    ({
      send: async (command: Command) => {
        const io = describeIo(command);
        await watching.before(io);
        const answer = perform(command);
        await watching.after(io);
        return answer;
      },
    }) as unknown as Client;
  type Deps = Parameters<typeof createHandler>[0];
  const clients = {
    dynamodb: clientOf<Deps['dynamodb']>(services.dynamodb),
    sqs: clientOf<Deps['sqs']>(services.sqs),
    eventBridge: clientOf<Deps['eventBridge']>(services.eventBridge),
    secretsManager: clientOf<Deps['secretsManager']>(services.secretsManager),
  };
  const watched = {
    dynamodb: watchedClientOf<Deps['dynamodb']>(services.dynamodb),
    eventBridge: watchedClientOf<Deps['eventBridge']>(services.eventBridge),
  };
  const write = (line: string) => void written.push(line);
  const environment = variables.parse({
    ENVIRONMENT: 'trial',
    ...releasedVersion,
    PLATFORM_BASE_URL: 'https://platform.example',
    PLATFORM_PROFILE: JSON.stringify(profile),
    PLATFORM_TOKEN_SECRET_ID: 'platform-token',
    TOKEN_REFRESHES_QUEUE_URL: 'token-refreshes',
    ONBOARDINGS_TABLE: 'onboardings',
    ENTITIES_TABLE: 'entities',
    EVENT_BUS: 'drawbridge',
    ONBOARDING_SETTINGS: JSON.stringify(options.settings ?? {}),
  });
  const handler = createHandler({
    ...clients,
    ...watched,
    environment,
    fetch: fetchPlatform,
    now,
    random,
    wait: async (milliseconds) => moveTo(time() + milliseconds),
    timeout: (milliseconds) => {
      const controller = new AbortController();
      timers = [...timers, { at: time() + milliseconds, controller }];
      return controller.signal;
    },
    write,
  });
  const accepting = {
    ...watched,
    sqs: watchedClientOf<Deps['sqs']>(services.sqs),
    environment: { ...environment, ONBOARDING_QUEUE_URL: 'onboarding' },
    newSalt: () => 'salt',
    now,
    write,
  };
  const api = createApi(accepting);
  const requestEvent = createRequestEvent(accepting);
  const store = createOnboardingStore({ dynamodb: clients.dynamodb, tableName: 'onboardings', now });
  const settings = environment.ONBOARDING_SETTINGS;
  const queue = createQueue({ sqs: clients.sqs, queueUrl: 'onboarding' });
  const operate = createOperate({ store, queue, settings, now, log: captureLines(now).log });
  const messages = services.sqs.queue('onboarding');

  /** Hands over what the queue has: all together if they are many, as Lambda does. */
  async function work(): Promise<void> {
    for (let received = messages.receive(1_000); received.length > 0; received = messages.receive(1_000)) {
      const Records = received.map(({ id, body, receiveCount }) => ({
        messageId: id,
        body,
        attributes: { ApproximateReceiveCount: String(receiveCount) },
      }));
      const { batchItemFailures } = await handler({ Records }, lambdaContext(120_000));
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { id, receipt } of received) {
        const message = messages.find(receipt);
        if (message !== undefined && !failed.has(id)) messages.remove(message);
      }
    }
  }

  async function ask(routeKey: string, { externalId, body, isBase64Encoded = false }: Asked = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await api(
      {
        routeKey,
        isBase64Encoded,
        ...(text !== undefined && { body: isBase64Encoded ? Buffer.from(text).toString('base64') : text }),
        ...(externalId !== undefined && { pathParameters: { externalId } }),
      },
      lambdaContext(),
    );
    return { status: answer.statusCode, body: JSON.parse(answer.body ?? 'null') };
  }

  async function load(externalId: string): Promise<OnboardingRow> {
    const row = await store.load(onboardingIdOf(externalId));
    if (row === undefined || isErased(row)) throw new Error('There is no such onboarding.');
    return row;
  }

  const waker = createWaker({
    ...clients,
    environment: {
      ENVIRONMENT: 'trial',
      ONBOARDINGS_TABLE: 'onboardings',
      EVENTS_TABLE: 'events',
      ONBOARDING_QUEUE_URL: 'onboarding',
      STAND_INS: 0,
    },
    now,
    write: () => undefined,
  });

  /** Lets so many seconds pass. The waker runs every minute, as it does where it is deployed. */
  async function run(seconds: number, each?: { readonly every: number; readonly does: () => void }): Promise<void> {
    const end = time() + seconds * 1_000;
    let wakeAt = time() + wakeEvery;
    let eachAt = time();
    while (time() < end) {
      if (each !== undefined && eachAt <= time()) {
        each.does();
        eachAt = time() + each.every * 1_000;
      }
      if (wakeAt <= time()) {
        await waker({}, lambdaContext(60_000));
        wakeAt = time() + wakeEvery;
      }
      await work();
      const next = Math.min(messages.nextAt() ?? end, wakeAt, end, each === undefined ? end : eachAt);
      await moveTo(Math.max(next, time() + 1));
    }
    await work();
  }

  return {
    platform,
    operate,
    load,
    counts: () => Object.fromEntries(counts),
    countOf: (name: Parameters<typeof counts.set>[0]) => counts.get(name) ?? 0,
    store,
    /** Calls that `watch` watches, as those of the functions. */
    dynamodb: watched.dynamodb,
    /** As `store` writes it. */
    putEntity: async (key: EntityKey, row: Parameters<typeof writeState>[1]): Promise<void> => {
      const view = { toReadBack: false, openReportOn: undefined, modifiedOn: undefined };
      const Item = writeState(key, row, view);
      await clients.dynamodb.send(new PutItemCommand({ TableName: 'entities', Item }));
    },
    accept: async (body: OnboardingRequest): Promise<void> => void (await ask('POST /onboardings', { body })),
    /** Calls the API as API Gateway does. */
    ask,
    /** Invokes `api` and `request-event` with any event. */
    api: (event: object) => api(event, lambdaContext()),
    requestEvent: (event: object) => requestEvent(event, lambdaContext()),
    /** From now on. The I/Os are those of the functions, not of the test and not of the waker. */
    watch: (before: OnIo, after: OnIo = () => undefined): void => {
      watching = { before, after };
    },
    published: () => services.eventBridge.published(),
    /** All that the functions have written to their logs and their metrics. */
    written: () => written.join(''),
    failWith: (others: AdvanceWorldOptions['fails']): void => {
      failing = others;
    },
    /** As many messages as webhooks about the onboarding would send. */
    wake: (externalId: string, times = 1): void => {
      for (let left = times; left > 0; left -= 1) messages.send(writeOnboardingMessage(onboardingIdOf(externalId)));
    },
    work,
    run,
    messages: () => messages.all(),
    close: () => platform.close(),
  };
}

/** An I/O in a word or two: a row that is read or saved, with its step, or the events that are published. */
function describeIo(command: Command): string {
  if (command instanceof GetItemCommand) return 'load';
  if (command instanceof PutItemCommand) return `save ${JSON.parse(command.input.Item?.['state']?.S ?? '{}').step}`;
  if (command instanceof SendMessageCommand) return 'send';
  if (command instanceof PutEventsCommand)
    return `publish ${command.input.Entries?.map(({ DetailType }) => DetailType).join(', ')}`;
  return command.constructor.name;
}

async function toFetched(response: Response): Promise<FetchedAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes: async () => bytes };
}
