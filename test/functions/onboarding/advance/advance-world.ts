import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { createRequest } from '#functions/onboarding/accept/accept-request.ts';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createHandler, variables } from '#functions/onboarding/advance/handler.ts';
import { createOperate } from '#functions/onboarding/api/operate-onboarding.ts';
import { createHandler as createWaker } from '#functions/onboarding/wake/handler.ts';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform } from '#sandbox/platform/app/platform.ts';
import { createQueue } from '#shared/aws/queue.ts';
import { type EntityKey, writeState } from '#shared/entities/entity-row.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { FetchedAnswer, PlatformFetch } from '#shared/platform/client/fetch.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
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
      /** Whether the platform does what was asked all the same. */
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
  /** Called before each I/O of `advance`, which {@link describeIo} names. One that throws lets the I/O fail. */
  readonly onIo?: (io: string) => Promise<void>;
  /** From 0 to 1: the jitter. The default is the worst case, in which each back-off is as short as it can be. */
  readonly random?: () => number;
};

/** In milliseconds: the schedule of the waker. */
const wakeEvery = 60_000;

export type AdvanceWorld = ReturnType<typeof createAdvanceWorld>;

/**
 * `advance` as its entry builds it, over services in memory and the sandbox platform, in virtual time. Webhooks are lost:
 * a test wakes the onboarding itself. Counts what the platform is asked for.
 */
export function createAdvanceWorld({ fails, profile = {}, random = () => 1, ...options }: AdvanceWorldOptions) {
  const written: string[] = [];
  let onIo = options.onIo ?? (async () => undefined);
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
    await onIo(name);
    count(name);
    if (!searchParams.has('cursor') && name === 'list of persons') count('walk of persons');
    if (!searchParams.has('cursor') && name === 'list of verifications') count('walk of verifications');
    const answer = async () => app.request(url, { method, headers, ...(body !== undefined && { body }) });
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
  const clientOf = <Client>(
    { perform }: { readonly perform: Service },
    before: (command: Command) => Promise<void> = async () => undefined,
  ) =>
    ({
      send: async (command: Command) => {
        await before(command);
        return perform(command);
      },
    }) as unknown as Client;
  type Deps = Parameters<typeof createHandler>[0];
  const clients = {
    dynamodb: clientOf<Deps['dynamodb']>(services.dynamodb),
    sqs: clientOf<Deps['sqs']>(services.sqs),
    eventBridge: clientOf<Deps['eventBridge']>(services.eventBridge),
    secretsManager: clientOf<Deps['secretsManager']>(services.secretsManager),
  };
  const lines = captureLines(now);
  const environment = variables.parse({
    ENVIRONMENT: 'trial',
    PLATFORM_BASE_URL: 'https://platform.example',
    PLATFORM_PROFILE: JSON.stringify(profile),
    PLATFORM_TOKEN_SECRET_ID: 'platform-token',
    TOKEN_REFRESHES_QUEUE_URL: 'token-refreshes',
    ONBOARDINGS_TABLE: 'onboardings',
    ENTITIES_TABLE: 'entities',
    EVENT_BUS: 'drawbridge',
    ONBOARDING_SETTINGS: JSON.stringify(options.settings ?? {}),
  });
  const beforeIo = async (command: Command) => onIo(describeIo(command));
  const handler = createHandler({
    ...clients,
    dynamodb: clientOf<Deps['dynamodb']>(services.dynamodb, beforeIo),
    eventBridge: clientOf<Deps['eventBridge']>(services.eventBridge, beforeIo),
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
    write: (line) => void written.push(line),
  });
  const store = createOnboardingStore({ dynamodb: clients.dynamodb, tableName: 'onboardings', now });
  const settings = onboardingSettings.parse(options.settings ?? {});
  const queue = createQueue({ sqs: clients.sqs, queueUrl: 'onboarding' });
  const { log, metrics } = lines;
  const request = createRequest({
    store,
    queue,
    settings,
    profile: platformProfile.parse(profile),
    now,
    newSalt: () => 'salt',
    log,
    metrics,
  });
  const operate = createOperate({ store, queue, settings, now, log });
  const messages = services.sqs.queue('onboarding');

  /** Hands over what the queue has: all together where they are many, as Lambda does. */
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
    /** As `store` writes it. */
    putEntity: async (key: EntityKey, row: Parameters<typeof writeState>[1]): Promise<void> => {
      const view = { toReadBack: false, heardOn: undefined, modifiedOn: undefined };
      const Item = writeState(key, row, view);
      await clients.dynamodb.send(new PutItemCommand({ TableName: 'entities', Item }));
    },
    accept: async (body: OnboardingRequest): Promise<void> => void (await request(body)),
    /** From now on, in place of the `onIo` of the options. */
    watch: (watching: typeof onIo): void => {
      onIo = watching;
    },
    published: () => services.eventBridge.published(),
    /** All that `advance` has written to its log and its metrics. */
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
  const { input } = command;
  if (command instanceof GetItemCommand) return 'load';
  if (command instanceof PutItemCommand) return `save ${JSON.parse(command.input.Item?.['state']?.S ?? '{}').step}`;
  if (command instanceof PutEventsCommand)
    return `publish ${command.input.Entries?.map(({ DetailType }) => DetailType).join(', ')}`;
  throw new Error(`advance sends no such command: ${JSON.stringify(input)}`);
}

async function toFetched(response: Response): Promise<FetchedAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes: async () => bytes };
}
