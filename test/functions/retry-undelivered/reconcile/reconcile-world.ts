import { setTimeout as wait } from 'node:timers/promises';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import * as z from 'zod';
import { createDetectDrift } from '#functions/retry-undelivered/reconcile/detect-drift.ts';
import { createFindRequestor } from '#functions/retry-undelivered/reconcile/find-requestor.ts';
import { createReconcile, type ReconcileDeps } from '#functions/retry-undelivered/reconcile/reconcile.ts';
import { reconcileProgress } from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import { createApplyEvent } from '#functions/webhook-ingest/store/apply-event.ts';
import { createStore } from '#functions/webhook-ingest/store/store-record.ts';
import { createCheckpoint } from '#shared/aws/checkpoint.ts';
import { createBatchQueue } from '#shared/aws/queue.ts';
import type { BusEntry } from '#shared/bus/bus.ts';
import { createDueEntities } from '#shared/entities/due-entities.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';
import { createOnboardingVerifications } from '#shared/onboarding/onboarding-finder.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createCommitEvent } from '#shared/persons/person-index.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestPersons } from '#test/shared/events/test-stores.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import type { Contract } from '#test/spec/contract.ts';

/** In milliseconds. */
export const minute = 60_000;
export const hour = 60 * minute;
export const limits = { grace: 5 * minute, readBackAfter: 6 * hour, staleAfter: 7 * 24 * hour };

/** The counts of a kind of which nothing was checked. */
export const nothing = { checked: 0, drifted: 0, repaired: 0, readBack: 0, stale: 0, gone: 0, unanswered: 0 };

/** A client whose calls all go through `send`. */
export function clientWith(client: PlatformClient, send: PlatformClient['send']): PlatformClient {
  const request: PlatformClient['request'] = async (schema, call, options) =>
    schema.parse(JSON.parse(Buffer.from((await send(call, options)).body).toString()));
  return { ...client, send, request };
}

/** A client that gives each answer to the list of persons as `change` makes it. */
export function clientWithList(client: PlatformClient, change: (page: ListedPage) => object): PlatformClient {
  return clientWith(client, async (request, options) => {
    const answer = await client.send(request, options);
    if (request.operation !== 'Get natural persons') return answer;
    return { ...answer, body: Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(answer.body).toString())))) };
  });
}

type ListedPage = { readonly data: readonly Readonly<Record<string, unknown>>[]; readonly pagination: object };

export type Person = { readonly id: string; readonly status: string; readonly modifiedOn: string };

export type ReconcileWorld = Awaited<ReturnType<typeof createReconcileWorld>>;

let serial = 0;

/** Makes emulators for the tests of a file, and a world for each test. */
export function useReconcileWorld(
  contract: () => Contract,
  onMade: (made: { readonly emulators: Emulators; readonly world: ReconcileWorld }) => void,
): void {
  let emulators: Emulators;
  beforeAll(async () => {
    emulators = await startEmulators();
  });
  afterAll(() => emulators.close());
  beforeEach(async () => onMade({ emulators, world: await createReconcileWorld(emulators, contract()) }));
  afterEach(() => emulators.unwatch());
}

/** `reconcile` and `store` between the emulators, with tables of their own, and the sandbox platform behind its socket. */
export async function createReconcileWorld(emulators: Emulators, { client, platform, control, call }: Contract) {
  serial += 1;
  const { dynamodb, sqs, queueUrl } = emulators;
  await sqs.send(new PurgeQueueCommand({ QueueUrl: queueUrl }));
  const tableName = await emulators.createTable('entities', `entities-${serial}`);
  const onboardings = await emulators.createTable('onboardings', `onboardings-${serial}`);
  const { now } = platform.clock;
  const lines = captureLines(now);
  const published: BusEntry[] = [];
  const eventStore = createEventStore({ dynamodb, tableName: emulators.tableName, retentionDays: 30, now });
  const entityStore = createEntityStore({ rules: entityRules, dynamodb, tableName, now, random: Math.random, wait });
  const dueEntities = createDueEntities({ dynamodb, tableName });
  const { personIndex, erasePersonEvents } = createTestPersons(emulators, { eventStore, entityStore, now });
  const store = createStore({
    now,
    commitEvent: createCommitEvent({ eventStore, personIndex, ...captureLines() }),
    eventStore,
    applyEvent: createApplyEvent({
      reportedKinds: [],
      erasePersonEvents,
      personIndex,
      entityStore,
      eventStore,
      bus: { publish: async (events) => void published.push(...events) },
      hasErased: async () => false,
      wakeOnboarding: async () => undefined,
      ...captureLines(),
    }),
    profile: platformProfile.parse({}),
    ...captureLines(),
  });
  const deps: ReconcileDeps = {
    client,
    pace: async (signal) => signal.throwIfAborted(),
    findRequestor: createFindRequestor({ entityStore, eventStore, requestor: 'self', places: {} }),
    dueEntities,
    driftChecks: createDetectDrift({ rules: entityRules, entityStore, dueEntities, now, limits }),
    verifications: createOnboardingVerifications({ dynamodb, tableName: onboardings }),
    queue: createBatchQueue({ sqs, queueUrl }),
    checkpoint: createCheckpoint({
      dynamodb,
      tableName: emulators.tableNameOf('checkpoints'),
      job: `reconcile-${serial}`,
      schema: reconcileProgress,
    }),
    callsPerSecond: 5,
    // In each run.
    listEveryHours: 0,
    now,
    timeout: AbortSignal.timeout,
    log: lines.log,
    metrics: lines.metrics,
  };

  async function persons(): Promise<readonly Person[]> {
    const { data } = platform.persons.list({ limit: 100 });
    return data.map(({ naturalPersonId, naturalPersonStatus, modifiedOn }) => ({
      id: naturalPersonId,
      status: naturalPersonStatus,
      modifiedOn,
    }));
  }

  /** What `reconcile` answers when it is invoked so; parts of it can be others. */
  const reconcile = (event: object, others: Partial<ReconcileDeps> = {}, signal = new AbortController().signal) =>
    createReconcile({ ...deps, ...others })(event, { signal });

  /** Has `store` work on all that waits on the webhooks queue; gives how many messages that were. */
  async function storeAll(): Promise<number> {
    const messages = await emulators.receiveAll();
    for (const message of messages) await store(message);
    return messages.length;
  }

  return {
    deps,
    entitiesTable: tableName,
    lines,
    published,
    entityStore,
    eventStore,
    onboardingStore: createOnboardingStore({ dynamodb, tableName: onboardings, now }),
    reconcile,
    storeAll,
    /** A repair, of which everything is stored. */
    repair: async (others: Partial<ReconcileDeps> = {}) => {
      const report = await reconcile({ mode: 'repair' }, others);
      await storeAll();
      return report;
    },
    countsOf: async (kind: EntityKind, mode: 'repair' | 'report') => (await reconcile({ mode })).counts[kind],
    /** A webhook, stored. */
    deliver: (eventType: string, body: object, receivedOn: Date = now()) =>
      store(
        writeDeliveryMessage({
          deliveryId: JSON.stringify(body),
          eventType,
          receivedOn: receivedOn.toISOString(),
          deflatedBody: deflateBody(Buffer.from(JSON.stringify(body))),
        }),
      ),
    /** Makes a person on the platform, of which no webhook tells. */
    makePerson: async (status = 'ACTIVE'): Promise<string> => {
      const made = await control('POST', '/natural-persons', { status });
      return z.object({ naturalPersonId: z.string() }).parse(made).naturalPersonId;
    },
    /** Makes a verification of this person on the platform, of which no webhook tells. */
    makeVerification: async (naturalPersonId: string): Promise<string> => {
      const body = { naturalPersonId, externalVerifier: 'EXTERNAL_VERIFIER_ID', identificationType: 'VIDEO_IDENT' };
      const headers = { 'Requestor-ID': naturalPersonId };
      const { body: made } = await call('POST', '/entities/identification-verifications', { body, headers });
      return z.object({ identificationVerificationId: z.string() }).parse(made).identificationVerificationId;
    },
    /** Each person as the platform has it. */
    persons,
    /** Each person as we show it. */
    entitiesOf: async (): Promise<readonly (Person | undefined)[]> =>
      Promise.all(
        (await persons()).map(async ({ id }) => {
          const entity = await entityStore.read({ kind: 'natural-person', id });
          return entity && { id, status: entity.status ?? '', modifiedOn: entity.modifiedOn ?? '' };
        }),
      ),
    /** What was counted since the last time. */
    counted: lines.counted,
  };
}
