import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApplyEvent, createApplyEvent } from '#functions/webhook-ingest/store/apply-event.ts';
import { createWakeOnboarding } from '#functions/webhook-ingest/store/wake-onboarding.ts';
import type { BusEntry } from '#shared/bus/bus.ts';
import { createEntityStore, type EntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { identifyEvent } from '#shared/events/event.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { createOnboardingFinder } from '#shared/onboarding/onboarding-finder.ts';
import { readOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { version } from '#shared/version.ts';
import { createHasErased } from '#test/functions/webhook-ingest/store/has-erased.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestPersons } from '#test/shared/events/test-stores.ts';
import { captureLines, type WrittenLines } from '#test/shared/lambda/written-lines.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const profile = platformProfile.parse({});
const receivedOn = '2026-01-02T03:04:05.678Z';
let emulators: Emulators;
let entityStore: EntityStore;
let published: BusEntry[];
let woken: string[];
let lines: WrittenLines;
let applyEvent: ApplyEvent;

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('entities', 'entities');
  await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(() => {
  const now = () => new Date(receivedOn);
  entityStore = createEntityStore({
    rules: entityRules,
    dynamodb: emulators.dynamodb,
    tableName: 'entities',
    now,
    random: Math.random,
    wait,
  });
  published = [];
  lines = captureLines(now);
  const eventStore = createEventStore({
    dynamodb: emulators.dynamodb,
    tableName: emulators.tableName,
    retentionDays: 30,
    now,
  });
  const publish = async (events: readonly BusEntry[]) => {
    published.push(...events);
  };
  woken = [];
  const send = async (text: string) => {
    woken.push(readOnboardingMessage(text).onboardingId);
  };
  const onboardings = createOnboardingFinder({ dynamodb: emulators.dynamodb, tableName: 'onboardings' });
  const wakeOnboarding = createWakeOnboarding({ onboardings, queue: { send } });
  const hasErased = createHasErased(emulators.dynamodb);
  applyEvent = createApplyEvent({
    ...createTestPersons(emulators, { eventStore, entityStore, now }),
    entityStore,
    eventStore,
    hasErased,
    bus: { publish },
    wakeOnboarding,
    ...lines,
  });
});

const noNames = { ids: [], onboardingIds: [] };

/** Lets an event of this type and body have its effect. Gives its id. */
async function take(eventType: string, body: unknown): Promise<string> {
  const event = identifyEvent(eventType, Buffer.from(JSON.stringify(body)), profile);
  await applyEvent({ ...event, names: noNames, receivedOn });
  return event.eventId;
}

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

describe('each change of an entity is one event on the bus', () => {
  it('from one status to the next', async () => {
    const filled = await take(orders, { orderId: 'o-1', status: 'FILLED', modifiedOn: '2026-01-02T00:00:01Z' });
    const settled = await take(orders, { orderId: 'o-1', status: 'SETTLED', modifiedOn: '2026-01-02T00:00:02Z' });
    expect(published).toEqual([
      {
        detailType: 'OrderStatusChanged',
        detail: {
          kind: 'order',
          id: 'o-1',
          sequence: 1,
          status: 'FILLED',
          transactionStatus: 'COMPLETED',
          modifiedOn: '2026-01-02T00:00:01Z',
          anomalies: [],
          remedies: [],
          eventId: filled,
        },
      },
      {
        detailType: 'OrderStatusChanged',
        detail: {
          kind: 'order',
          id: 'o-1',
          sequence: 2,
          status: 'SETTLED',
          statusBefore: 'FILLED',
          transactionStatus: 'COMPLETED',
          modifiedOn: '2026-01-02T00:00:02Z',
          anomalies: [],
          remedies: [],
          eventId: settled,
        },
      },
    ]);
  });

  it('none of what is superseded, or says what is shown already', async () => {
    await take(orders, { orderId: 'o-2', status: 'FILLED', modifiedOn: '2026-01-02T00:00:02Z' });
    await take(orders, { orderId: 'o-2', status: 'PENDING', modifiedOn: '2026-01-02T00:00:01Z' });
    await take(orders, { orderId: 'o-2', status: 'FILLED', modifiedOn: '2026-01-02T00:00:02Z', message: 'again' });
    expect(published).toHaveLength(1);
  });

  it('the same again, with the same sequence, when its event comes again', async () => {
    const body = { orderId: 'o-3', status: 'FILLED', modifiedOn: '2026-01-02T00:00:01Z' };
    for (let times = 0; times < 3; times += 1) await take(orders, body);
    expect(new Set(published.map((event) => JSON.stringify(event))).size).toBe(1);
    expect(published).toHaveLength(3);
  });

  it('is an update where the status is what it was', async () => {
    const persons = 'NATURAL_PERSON_NOTIFICATION';
    await take(persons, { naturalPersonId: 'p-1', status: 'ACTIVE', modifiedOn: '2026-01-02T00:00:01Z' });
    await take(persons, { naturalPersonId: 'p-1', status: 'ACTIVE', modifiedOn: '2026-01-02T00:00:02Z' });
    expect(published.map(({ detailType }) => detailType)).toEqual([
      'NaturalPersonStatusChanged',
      'NaturalPersonUpdated',
    ]);
  });

  it('each kind has its own', async () => {
    await take('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'p-2', status: 'ACTIVE', modifiedOn: receivedOn });
    await take('IDENTIFICATION_VERIFICATION_NOTIFICATION', {
      identificationVerificationId: 'i-2',
      naturalPersonId: 'p-2',
      status: 'APPROVED',
      modifiedOn: receivedOn,
    });
    await take('TRANSFER_NOTIFICATION', { transfer: { transferId: 't-2', transferStatus: 'PROCESSED' } });
    expect(published.map(({ detailType, detail }) => [detailType, detail['id']])).toEqual([
      ['NaturalPersonStatusChanged', 'p-2'],
      ['IdentificationVerificationStatusChanged', 'i-2'],
      ['TransferStatusChanged', 't-2'],
    ]);
  });

  it('keeps and publishes a status that the tables do not have', async () => {
    await take(orders, { orderId: 'o-4', status: 'A_NEW_WORD', modifiedOn: receivedOn });
    expect(published).toMatchObject([{ detail: { status: 'A_NEW_WORD', anomalies: [] } }]);
    expect(published[0]?.detail).not.toHaveProperty('transactionStatus', expect.anything());
  });
});

describe('an event that contradicts a final status is kept, shown and counted as an anomaly', () => {
  it('publishes it with its remedy, counts it, and logs it without ids of the platform', async () => {
    await take(orders, { orderId: 'o-5', status: 'REJECTED', modifiedOn: '2026-01-02T00:00:01Z' });
    const eventId = await take(orders, { orderId: 'o-5', status: 'FILLED', modifiedOn: '2026-01-02T00:00:02Z' });
    const remedy = /^The platform dates FILLED after REJECTED, which is final\. .*support/;
    const remedies = [expect.stringMatching(remedy)];
    expect(published.at(-1)?.detail).toMatchObject({ anomalies: ['REJECTED → FILLED'], remedies });
    expect(lines.objects()).toEqual([
      {
        timestamp: receivedOn,
        level: 'WARN',
        message: 'entity contradicts a final status',
        version,
        eventId,
        eventType: orders,
        remedies,
      },
    ]);
    lines.metrics.flush();
    expect(lines.objects().at(-1)).toMatchObject({ EntityChanges: 2, EntityAnomalies: 1 });
  });

  it('reports nothing for a transition that is not documented', async () => {
    for (const [second, status] of ['CREATED', 'PENDING', 'REVIEW'].entries())
      await take('NATURAL_PERSON_NOTIFICATION', {
        naturalPersonId: 'p-5',
        status,
        modifiedOn: `2026-01-02T00:00:0${second}Z`,
      });
    expect(published.at(-1)?.detail).toMatchObject({ status: 'REVIEW', anomalies: [], remedies: [] });
    expect(lines.objects()).toEqual([]);
  });
});

describe('a validation error that the platform reports is an event of its own on the bus', () => {
  const persons = 'NATURAL_PERSON_NOTIFICATION';
  const validationError = { errorType: 'INVALID_TAX_ID', description: 'The tax id of Erika Mustermann is wrong.' };

  it('publishes the kind, the id, the error type and the event id, and nothing else', async () => {
    const body = { naturalPersonId: 'p-6', notificationType: 'VALIDATION_ERROR', validationError };
    const eventId = await take(persons, body);
    const detail = {
      kind: 'natural-person',
      id: 'p-6',
      errorType: 'INVALID_TAX_ID',
      reasonCodes: ['INVALID_TAX_ID'],
      eventId,
    };
    expect(published).toEqual([{ detailType: 'NaturalPersonValidationFailed', detail }]);
    lines.metrics.flush();
    expect(lines.objects().at(-1)).toMatchObject({ ValidationsFailed: 1 });
  });

  it('publishes it again when the event comes again, as every other event', async () => {
    const body = { naturalPersonId: 'p-7', validationError };
    await take(persons, body);
    await take(persons, body);
    expect(published).toHaveLength(2);
    expect(published[1]).toEqual(published[0]);
  });

  it('publishes it beside the change of an order that becomes INVALID', async () => {
    const eventId = await take(orders, { orderId: 'o-8', status: 'INVALID', validationError });
    expect(published).toMatchObject([
      { detailType: 'OrderStatusChanged', detail: { status: 'INVALID', eventId } },
      { detailType: 'OrderValidationFailed', detail: { id: 'o-8', errorType: 'INVALID_TAX_ID', eventId } },
    ]);
  });

  it.each([
    ['a notification type alone', { notificationType: 'VALIDATION_ERROR' }],
    ['a name', { validationError: { errorType: 'Erika Mustermann' } }],
    ['a word that could be a name', { validationError: { errorType: 'Mustermann' } }],
    ['an address', { validationError: { errorType: 'ERIKA@EXAMPLE.COM' } }],
    ['a giant text', { validationError: { errorType: 'A'.repeat(65) } }],
    ['no object', { validationError: 'Erika Mustermann' }],
  ])('publishes it without an error type where there is %s', async (_, more) => {
    const eventId = await take(orders, { orderId: 'o-9', ...more });
    const detail = { kind: 'order', id: 'o-9', eventId };
    expect(published).toEqual([{ detailType: 'OrderValidationFailed', detail }]);
  });

  it('publishes nothing where no error is reported', async () => {
    await take(orders, { orderId: 'o-10', notificationType: 'UPDATED', validationError: null });
    expect(published).toEqual([]);
  });

  it('publishes nothing for an entity that is erased', async () => {
    const key = { kind: 'natural-person', id: 'p-11' } as const;
    await entityStore.erase(key, async () => undefined);
    await take(persons, { naturalPersonId: 'p-11', validationError });
    expect(published).toEqual([]);
  });
});

describe('events without an entity and events in quarantine', () => {
  it('of a type that the specification describes no entity for', async () => {
    const eventId = await take('CUSTOMER_NOTIFICATION', { customerId: 'c-1' });
    expect(published).toEqual([
      { detailType: 'EventReceived', detail: { eventId, eventType: 'CUSTOMER_NOTIFICATION', receivedOn } },
    ]);
  });

  it.each([
    ['NO_ENTITY_ID', orders, { status: 'FILLED' }],
    ['UNUSABLE_ENTITY_ID', orders, { orderId: 'Erika Mustermann', status: 'FILLED' }],
    ['UNUSABLE_STATUS', orders, { orderId: 'o-6', status: ['FILLED'] }],
    ['UNKNOWN_EVENT_TYPE', 'SHARED_WALLET_NOTIFICATION', { walletId: 'w-1' }],
    ['NOT_AN_OBJECT', orders, []],
  ])('publishes an event in quarantine for the reason %s', async (reason, eventType, body) => {
    const eventId = await take(eventType, body);
    expect(published).toEqual([{ detailType: 'EventQuarantined', detail: { eventId, eventType, receivedOn, reason } }]);
  });
});

describe('promise 8: no personal data leaves in an event of the bus, a metric or a log line', () => {
  const canary = 'Erika Mustermann';

  it.each(profile.eventTypes)('keeps personal data of a %s out of events, metrics and log lines', async (eventType) => {
    const ids = ['naturalPersonId', 'identificationVerificationId', 'orderId', 'transferId'];
    const fields = Object.fromEntries(ids.map((id) => [id, `canary-${eventType}`]));
    const validationError = { errorType: canary, description: canary };
    await take(eventType, { ...fields, status: 'REJECTED', firstName: canary, validationError, message: canary });
    await take(eventType, { ...fields, status: canary });
    await take(eventType, { ...fields, modifiedOn: canary, status: 'FILLED', notificationType: canary });
    lines.metrics.flush();
    expect(published.length).toBeGreaterThan(0);
    expect(JSON.stringify(published) + lines.text()).not.toMatch(/Erika|Mustermann/);
  });
});

describe('promise 2: an entity that is erased is not brought back, and nothing of it is published', () => {
  it('by an event that comes late', async () => {
    const key = { kind: 'natural-person', id: 'erased' } as const;
    await entityStore.erase(key, async () => undefined);
    await take('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'erased', status: 'ACTIVE', modifiedOn: receivedOn });
    expect(await entityStore.read(key)).toBeUndefined();
    expect(published).toEqual([]);
  });
});

describe('waking the onboarding of an event', () => {
  const persons = 'NATURAL_PERSON_NOTIFICATION';
  const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
  const active = { naturalPersonId: 'p-7', status: 'ACTIVE', modifiedOn: '2026-01-02T00:00:01Z' };

  /** Gives the id of an onboarding of this person and verification. */
  async function onboard(externalId: string, naturalPersonId: string, identificationVerificationId: string) {
    const { dynamodb } = emulators;
    const row = sampleOnboarding(externalId, { naturalPersonId, identificationVerificationId });
    const now = () => new Date(receivedOn);
    await createOnboardingStore({ dynamodb, tableName: 'onboardings', now }).create(row);
    return row.onboardingId;
  }

  it('wakes it by an event of its person and of its verification', async () => {
    const onboardingId = await onboard('partner-7', 'p-7', 'i-7');
    await take(persons, active);
    await take(verifications, { identificationVerificationId: 'i-7', status: 'APPROVED', modifiedOn: receivedOn });
    expect(woken).toEqual([onboardingId, onboardingId]);
    const eventId = expect.stringMatching(/^[\da-f]{64}$/);
    const line = expect.objectContaining({ message: 'onboarding woken', eventId, onboardingId });
    expect(lines.objects()).toEqual([line, line]);
  });

  it('each time that the event comes: it may have been published, and not have woken anybody', async () => {
    const onboardingId = await onboard('partner-8', 'p-8', 'i-8');
    for (let times = 0; times < 3; times += 1) await take(persons, { ...active, naturalPersonId: 'p-8' });
    expect(woken).toEqual([onboardingId, onboardingId, onboardingId]);
  });

  it('also by what changes nothing of what is shown', async () => {
    const onboardingId = await onboard('partner-9', 'p-9', 'i-9');
    await take(persons, { ...active, naturalPersonId: 'p-9' });
    await take(persons, { ...active, naturalPersonId: 'p-9', message: 'in other words' });
    expect(published).toHaveLength(1);
    expect(woken).toEqual([onboardingId, onboardingId]);
  });

  it('only once the change was published', async () => {
    await onboard('partner-10', 'p-10', 'i-10');
    const publish = async () => {
      throw new Error('EventBridge is down.');
    };
    const wakeOnboarding = async ({ id }: { readonly id: string }) => {
      woken.push(id);
      return id;
    };
    const eventStore = { erase: async () => undefined };
    const hasErased = async () => false;
    const unlucky = createApplyEvent({
      entityStore,
      eventStore,
      erasePersonEvents: async () => true,
      personIndex: { remove: async () => undefined },
      hasErased,
      bus: { publish },
      wakeOnboarding,
      ...lines,
    });
    const body = Buffer.from(JSON.stringify({ ...active, naturalPersonId: 'p-10' }));
    await expect(unlucky({ ...identifyEvent(persons, body, profile), names: noNames, receivedOn })).rejects.toThrow(
      'down',
    );
    expect(woken).toEqual([]);
  });

  it("wakes no other person's and none for an order of the same id", async () => {
    await onboard('partner-11', 'p-11', 'i-11');
    await take(persons, { ...active, naturalPersonId: 'i-11' });
    await take(verifications, { identificationVerificationId: 'p-11', status: 'APPROVED' });
    await take(orders, { orderId: 'p-11', status: 'FILLED' });
    expect(woken).toEqual([]);
  });

  it('which fails the event where SQS does not confirm, so that it comes again', async () => {
    const findNobody = async () => undefined;
    const onboardings = { findByPerson: async () => 'a'.repeat(64), findByVerification: findNobody };
    const send = async () => {
      throw new Error('SQS is down.');
    };
    const wakeOnboarding = createWakeOnboarding({ onboardings, queue: { send } });
    await expect(wakeOnboarding({ kind: 'natural-person', id: 'p-12' })).rejects.toThrow('SQS is down.');
  });
});
