import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { getRequestListener } from '@hono/node-server';
import { createRequest } from '#functions/onboarding/accept/accept-request.ts';
import type { OnboardingRequest } from '#functions/onboarding/accept/onboarding-request.ts';
import { createAdvance } from '#functions/onboarding/advance/advance.ts';
import { createMakeCall } from '#functions/onboarding/advance/make-call.ts';
import { createOperate } from '#functions/onboarding/api/operate-onboarding.ts';
import { createOnboardingApi } from '#functions/onboarding/api/routes.ts';
import { createObserve } from '#functions/onboarding/observe/observe.ts';
import { platformWords } from '#functions/onboarding/observe/platform-words.ts';
import { createWake } from '#functions/onboarding/wake/wake.ts';
import { listen } from '#sandbox/net/server.ts';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform } from '#sandbox/platform/app/platform.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { type OnboardingEvent, onboardingEvent } from '#shared/onboarding/onboarding-event.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { createListOnboardings } from '#shared/onboarding/onboarding-list.ts';
import { readOnboardingMessage, writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createPlatformClient } from '#shared/platform/client/client.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

export const startTime = new Date('2026-11-21T08:00:00Z');

/** The process that was at work is gone. */
export class CrashError extends Error {}

/** At which I/O the process dies, counted from 1, and whether that has had its effect by then. */
export type Crash = { readonly at: number; readonly when: 'before' | 'after' };

export type WorldOptions = {
  readonly emulators: Emulators;
  readonly tableName: string;
  /** Of the sandbox platform. */
  readonly platform?: NonNullable<Parameters<typeof createPlatform>[0]['settings']>;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether no webhook ever comes. */
  readonly losesWebhooks?: boolean;
  /** In milliseconds: how often the waker runs. */
  readonly tick?: number;
  readonly crash?: Crash | undefined;
  /** Whether a person of the partner acts for all others: its status, and whether the platform gives it proxies. */
  readonly representative?: { readonly status: 'ACTIVE' | 'SUSPENDED'; readonly hasProxies: boolean } | undefined;
};

export type World = Awaited<ReturnType<typeof createOnboardingWorld>>;

type Message = { readonly text: string; readonly at: number };

/** In milliseconds: how long SQS hides a message that was not done. */
const visibility = 30_000;

/**
 * The functions of onboarding as they are, the sandbox platform over a socket, and DynamoDB. The queue, the bus and the
 * process are the test's: all goes by the platform's clock, and dies where the test says.
 */
export async function createOnboardingWorld({
  emulators,
  tableName,
  losesWebhooks = false,
  tick = 60_000,
  representative,
  ...options
}: WorldOptions) {
  const errors: unknown[] = [];
  const failures: unknown[] = [];
  const mine = new Set<string>();
  const platform = createPlatform({
    frozenAt: startTime,
    settings: { tokenLifetime: 10 * 366 * 86_400, ...options.platform },
    fetch: deliver,
    now: () => new Date(),
    onError: (error) => errors.push(error),
  });
  const calls: { readonly method: string; readonly path: string }[] = [];
  const app = createPlatformApp(platform);
  const server = await listen(
    getRequestListener(async (request) => {
      const { pathname: path } = new URL(request.url);
      calls.push({ method: request.method, path });
      return app.fetch(request);
    }),
  );
  const { now } = platform.clock;
  const lines = captureLines(now);
  const representativeId = representative && makeReadyPerson(platform, {}, representative.status).naturalPersonId;
  if (representative?.hasProxies) platform.settings.change({ representativeId });
  const settings = onboardingSettings.parse({
    ...options.settings,
    ...(representativeId !== undefined && { requestor: representativeId }),
  });
  const published: OnboardingEvent[] = [];
  let messages: readonly Message[] = [];
  let ios = 0;
  let isDead = false;
  let hasChanged = true;
  let earliestDue = 0;

  /** Every I/O of the functions goes through here. */
  async function io<Value>(work: () => Promise<Value>): Promise<Value> {
    ios += 1;
    const { crash } = options;
    if (isDead || (crash?.at === ios && crash.when === 'before')) die();
    const value = await work();
    if (crash?.at === ios && crash.when === 'after') die();
    return value;
  }

  function die(): never {
    isDead = true;
    throw new CrashError();
  }

  for (const eventType of ['NATURAL_PERSON_NOTIFICATION', 'IDENTIFICATION_VERIFICATION_NOTIFICATION'])
    platform.registrations.register({ eventType, url: `https://partner.example/${eventType}` });

  const sendToDynamoDb = emulators.dynamodb.send.bind(emulators.dynamodb) as (command: unknown) => Promise<unknown>;
  const send = ((command: unknown) => {
    hasChanged ||= command instanceof PutItemCommand;
    return io(() => sendToDynamoDb(command));
  }) as Emulators['dynamodb']['send'];
  const store = createOnboardingStore({ dynamodb: { send }, tableName, now });
  /** Of the test, not of the functions: it counts for no I/O. */
  const ownStore = createOnboardingStore({ dynamodb: emulators.dynamodb, tableName, now });
  const queue = {
    send: (text: string) =>
      io(async () => {
        mine.add(readOnboardingMessage(text).onboardingId);
        messages = [...messages, { text, at: now().getTime() }];
      }),
  };
  const token = platform.tokens.issue().accessToken;
  const callPlatform = createPlatformFetch();
  const client = createPlatformClient({
    baseUrl: server.origin,
    profile: platform.profile,
    tokens: { read: async () => token, reportRejected: async () => undefined },
    fetch: (...call) => io(() => callPlatform(...call)),
    now,
    random: () => 0.5,
    wait: async () => undefined,
    timeout: AbortSignal.timeout,
  });
  const { log, metrics } = lines;
  const words = platformWords(client.profile, settings);
  // Webhooks report no codes here.
  const readReasons = async () => [];
  const observe = createObserve({ client, settings, words, readReasons, now });
  const makeCall = createMakeCall({ client, settings, now });
  const publish = (events: readonly OnboardingEvent[]) =>
    io(async () => {
      published.push(...events.map((event) => onboardingEvent.parse(JSON.parse(JSON.stringify(event)))));
    });
  const advance = createAdvance({
    store,
    observe,
    makeCall,
    words,
    readReasons,
    settings,
    publish,
    now,
    random: () => 0.5,
    log,
    metrics,
  });
  const request = createRequest({
    store,
    queue,
    settings,
    profile: platform.profile,
    now,
    newSalt: () => 'salt',
    log,
    metrics,
  });
  const operate = createOperate({ store, queue, settings, now, log });
  const api = createOnboardingApi({
    request,
    operate,
    store,
    list: createListOnboardings({ dynamodb: { send }, tableName, now }),
  });

  /** What `store` does with a webhook: it wakes the onboarding concerned. */
  async function deliver(...[, init]: Parameters<typeof fetch>): Promise<Response> {
    if (losesWebhooks) return new Response(null, { status: 503 });
    const { naturalPersonId = '', identificationVerificationId = '' } = JSON.parse(String(init?.body));
    const found =
      (identificationVerificationId !== '' && (await ownStore.findByVerification(identificationVerificationId))) ||
      (await ownStore.findByPerson(naturalPersonId));
    if (found) wake(found);
    return new Response(null, { status: 200 });
  }

  function wake(onboardingId: string): void {
    messages = [...messages, { text: writeOnboardingMessage(onboardingId), at: now().getTime() }];
  }

  /** Hands out a message; one that is not done comes again. A process that has died is replaced by another. */
  async function work({ text }: Message): Promise<unknown> {
    try {
      await advance(text);
      return undefined;
    } catch (error) {
      messages = [...messages, { text, at: now().getTime() + visibility }];
      return error;
    } finally {
      isDead = false;
    }
  }

  /** Takes each message that is due off the queue, one after the other, until none is. */
  async function workOff(): Promise<void> {
    for (;;) {
      const due = messages.filter(({ at }) => at <= now().getTime());
      if (due.length === 0) return;
      messages = messages.filter((one) => !due.includes(one));
      for (const message of due) failures.push(await work(message));
    }
  }

  async function isAnyDue(): Promise<boolean> {
    if (hasChanged) {
      hasChanged = false;
      const rows = await Promise.all([...mine].map((id) => ownStore.load(id)));
      const dues = rows.flatMap((row) => (row === undefined || isErased(row) ? [] : (row.state.dueOn ?? [])));
      earliestDue = Math.min(...dues.map((dueOn) => Date.parse(dueOn)));
    }
    return earliestDue <= now().getTime();
  }

  const runWaker = createWake({
    store: {
      ...store,
      // The table has onboardings of other tests.
      listDue: async (...call) => {
        const { onboardingIds, next } = await ownStore.listDue(...call);
        return { onboardingIds: onboardingIds.filter((id) => mine.has(id)), next };
      },
    },
    queue: {
      sendAll: async (texts) => {
        for (const text of texts) await queue.send(text);
      },
    },
    now,
    log,
    metrics,
  });

  /** Runs the waker, unless the run would find nothing. */
  async function wakeDue(): Promise<void> {
    if (!(await isAnyDue())) return;
    try {
      await runWaker(new AbortController().signal);
    } catch (error) {
      if (!(error instanceof CrashError)) throw error;
    } finally {
      isDead = false;
    }
  }

  async function loadById(onboardingId: string): Promise<OnboardingRow> {
    const row = await ownStore.load(onboardingId);
    if (row === undefined || isErased(row)) throw new Error('There is no such onboarding.');
    return row;
  }

  /** Lets the time pass until it is so, at the most for so many days. */
  async function runUntil(isSo: () => Promise<boolean>, days = 100): Promise<void> {
    const end = now().getTime() + days * 86_400_000;
    for (;;) {
      await workOff();
      if (await isSo()) return;
      if (now().getTime() >= end) throw new Error('It did not come to that.');
      const next = Math.min(...messages.map(({ at }) => at), now().getTime() + tick);
      await platform.clock.advance(Math.max(1, next - now().getTime()) / 1_000);
      await wakeDue();
    }
  }

  const stepOf = async (externalId: string) => (await loadById(onboardingIdOf(externalId))).state.step;

  return {
    platform,
    settings,
    store: ownStore,
    client,
    lines,
    published,
    calls,
    failures,
    errors,
    api,
    request,
    operate,
    wake,
    workOff,
    wakeDue,
    runUntil,
    stepOf,
    ios: () => ios,
    messages: () => messages,
    representativeId,
    load: (externalId: string) => loadById(onboardingIdOf(externalId)),
    /** Erases the onboarding as it is, and nothing else. */
    erase: async (externalId: string): Promise<void> => {
      const row = await loadById(onboardingIdOf(externalId));
      if (!(await ownStore.erase(row.onboardingId, row))) throw new Error('The onboarding was saved meanwhile.');
    },
    /** Requests it as a partner does: again, until it is accepted. */
    accept: async (body: OnboardingRequest): Promise<void> => {
      for (let tries = 0; tries < 3; tries += 1) {
        try {
          const { outcome } = await request(body);
          if (outcome !== 'ACCEPTED') throw new Error(`The request is refused: ${outcome}.`);
          return;
        } catch (error) {
          if (!(error instanceof Error && (error instanceof CrashError || error.name === 'QueueError'))) throw error;
        } finally {
          isDead = false;
        }
      }
      throw new Error('The request was never accepted.');
    },
    /** Until the onboarding comes to this step. */
    runTo: (externalId: string, step: string) => runUntil(async () => (await stepOf(externalId)) === step),
    /** Until it has ended and all is published. */
    runToEnd: (externalId: string) =>
      runUntil(async () => {
        const { state, outbox } = await loadById(onboardingIdOf(externalId));
        return stepRow(state.step).final && outbox.length === 0;
      }),
    persons: () => [...platform.persons.list({ limit: 1_000 }).data],
    close: async () => {
      platform.close();
      await server.close();
    },
  };
}
