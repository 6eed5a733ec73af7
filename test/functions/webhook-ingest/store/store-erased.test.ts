import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApplyEvent } from '#functions/webhook-ingest/store/apply-event.ts';
import { createStore } from '#functions/webhook-ingest/store/store-record.ts';
import type { BusEntry } from '#shared/bus/bus.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import { identifyEvent } from '#shared/events/event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { readBackEvent, writeReadBackMessage } from '#shared/events/read-back.ts';
import { deflateBody, inflateBody, writeDeliveryMessage, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { createOnboardingStore, type OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createCommitEvent } from '#shared/persons/commit-event.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { createHasErased } from '#test/functions/webhook-ingest/store/has-erased.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { endsAtCall } from '#test/shared/aws/ends-at-call.ts';
import { createTestPersons, createTestStores } from '#test/shared/events/test-stores.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
const profile = platformProfile.parse({});
const receivedOn = '2026-01-02T03:04:05.678Z';
const now = () => new Date(receivedOn);
let emulators: Emulators;
let entityStore: EntityStore;
let eventStore: EventStore;
let onboardings: OnboardingStore;
let published: BusEntry[];
let store: (message: string) => Promise<void>;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('entities', 'entities');
  await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(async () => {
  const { dynamodb } = emulators;
  ({ eventStore, entityStore } = createTestStores(emulators, now));
  onboardings = createOnboardingStore({ dynamodb, tableName: 'onboardings', now });
  published = [];
  const lines = captureLines(now);
  const publish = async (events: readonly BusEntry[]) => {
    published.push(...events);
  };
  const wakeOnboarding = async () => undefined;
  const { personIndex, erasePersonEvents } = createTestPersons(emulators, { eventStore, entityStore, now });
  store = createStore({
    commitEvent: createCommitEvent({ eventStore, personIndex, ...lines }),
    eventStore,
    applyEvent: createApplyEvent({
      entityStore,
      eventStore,
      erasePersonEvents,
      personIndex,
      hasErased: createHasErased(dynamodb),
      bus: { publish },
      wakeOnboarding,
      ...lines,
    }),
    profile,
    ...lines,
  });
  await entityStore.erase({ kind: 'natural-person', id: 'erased' }, async () => undefined);
});
afterEach(() => emulators.unwatch());

const verification = () => ({ kind: 'identification-verification', id: `v-${serial}` }) as const;

/** What a webhook says of the verification of this test. */
function told(more: object) {
  const body = Buffer.from(
    JSON.stringify({ identificationVerificationId: `v-${serial}`, status: 'PENDING', modifiedOn: receivedOn, ...more }),
  );
  const delivery = { deliveryId: 'd', eventType: verifications, receivedOn, deflatedBody: deflateBody(body) };
  return { event: identifyEvent(verifications, body, profile), delivery };
}

const isGone = async (eventId: string) => (await eventStore.read(eventId))?.erasedOn !== undefined;

describe('promise 8: a verification of an erased person is erased with its first event', () => {
  beforeEach(() => {
    serial += 1;
  });

  it.each([
    ['at the top level', { naturalPersonId: 'erased' }],
    ['in a wrapper', { identificationVerification: { naturalPersonId: 'erased' } }],
  ])('by a webhook that says whose it is %s', async (_, whose) => {
    const { event, delivery } = told(whose);
    await store(writeDeliveryMessage(delivery));
    expect(await entityStore.isErased(verification())).toBe(true);
    expect(await isGone(event.eventId)).toBe(true);
    expect(published).toEqual([]);
  });

  it('erases it by an answer of the platform, also after another read', async () => {
    const times = { modifiedOn: receivedOn, readOn: receivedOn };
    const answer = { ...verification(), naturalPersonId: 'erased', status: 'PENDING', ...times };
    const { event, delivery } = readBackEvent(answer);
    await eventStore.commit(event, delivery);
    await store(writeEventMessage(event.eventId));
    expect(await entityStore.isErased(verification())).toBe(true);
    await store(writeReadBackMessage({ ...answer, readOn: '2026-01-03T00:00:00.000Z' }));
    expect(await entityStore.read(verification())).toBeUndefined();
    expect(await isGone(event.eventId)).toBe(true);
    expect(published).toEqual([]);
  });

  it('erases it with its earlier and later events that did not name the person', async () => {
    const [before, after] = [told({ message: 'before' }), told({ message: 'after' })];
    await store(writeDeliveryMessage(before.delivery));
    expect(await entityStore.read(verification())).toBeDefined();
    await store(writeDeliveryMessage(told({ naturalPersonId: 'erased' }).delivery));
    await store(writeDeliveryMessage(after.delivery));
    expect([await isGone(before.event.eventId), await isGone(after.event.eventId)]).toEqual([true, true]);
    expect(await entityStore.isErased(verification())).toBe(true);
  });

  it('but not one of anybody else', async () => {
    const { event, delivery } = told({ naturalPersonId: 'live', requestedBy: 'erased' });
    await store(writeDeliveryMessage(delivery));
    expect(await entityStore.read(verification())).toBeDefined();
    expect(await isGone(event.eventId)).toBe(false);
    expect(published).toHaveLength(1);
  });

  it.each([
    ['a delivery', 'before'],
    ['a delivery', 'after'],
    ['an event handed over', 'before'],
    ['an event handed over', 'after'],
  ] as const)('erases the events of %s after an end %s any call, once the message comes again', async (what, when) => {
    for (let nth = 1; ; nth += 1) {
      serial += 1;
      const before = told({ message: 'before' });
      await store(writeDeliveryMessage(before.delivery));
      const { event, delivery } = told({ naturalPersonId: 'erased' });
      // As replayed: its verification knows it already.
      await eventStore.commit(event, delivery);
      if (event.placed !== undefined) await entityStore.apply({ ...event.placed, eventId: event.eventId, receivedOn });
      const message = what === 'a delivery' ? writeDeliveryMessage(delivery) : writeEventMessage(event.eventId);
      const ended = await endsAtCall(emulators, { nth, when }, () => store(message));
      await store(message);
      expect(await entityStore.isErased(verification())).toBe(true);
      expect([await isGone(before.event.eventId), await isGone(event.eventId)]).toEqual([true, true]);
      if (!ended) {
        expect(nth).toBeGreaterThan(6);
        return;
      }
    }
  });
});

describe('promise 8: a person is erased by its externalId before its id was known', () => {
  const person = () => ({ kind: 'natural-person', id: `p-${serial}` }) as const;

  /** What a webhook says of the person of this test. */
  function told(more: object) {
    const eventType = 'NATURAL_PERSON_NOTIFICATION';
    const text = { naturalPersonId: `p-${serial}`, naturalPersonStatus: 'ACTIVE', modifiedOn: receivedOn, ...more };
    const body = Buffer.from(JSON.stringify(text));
    const delivery = { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(body) };
    return { event: identifyEvent(eventType, body, profile), delivery };
  }

  beforeEach(async () => {
    serial += 1;
    await onboardings.erase(onboardingIdOf(`erased-${serial}`), undefined);
  });

  it.each([
    ['at the top level', (externalId: string) => ({ externalId })],
    ['in a wrapper', (externalId: string) => ({ naturalPerson: { externalId } })],
  ])('by a webhook that has the externalId %s', async (_, named) => {
    const { event, delivery } = told(named(`erased-${serial}`));
    await store(writeDeliveryMessage(delivery));
    expect(await entityStore.isErased(person())).toBe(true);
    expect(await isGone(event.eventId)).toBe(true);
    expect(published).toEqual([]);
  });

  it('with what was read back of it before', async () => {
    const times = { modifiedOn: receivedOn, readOn: receivedOn };
    await store(writeReadBackMessage({ ...person(), status: 'ACTIVE', ...times }));
    await store(writeDeliveryMessage(told({ externalId: `erased-${serial}` }).delivery));
    expect(await entityStore.isErased(person())).toBe(true);
  });

  it.each(['before', 'after'] as const)(
    'with what names its verification alone, after an end %s any call, once the message comes again',
    async (when) => {
      for (let nth = 1; ; nth += 1) {
        serial += 1;
        await onboardings.erase(onboardingIdOf(`erased-${serial}`), undefined);
        const verificationId = randomUUID();
        const deliveryOf = (eventType: string, text: object) => {
          const body = Buffer.from(JSON.stringify(text));
          return { deliveryId: `d-${eventType}`, eventType, receivedOn, deflatedBody: deflateBody(body) };
        };
        const ofVerification = { identificationVerificationId: verificationId, naturalPersonId: person().id };
        const naming = deliveryOf('CUSTOMER_NOTIFICATION', { customerId: 'c', verificationId });
        const stating = deliveryOf(verifications, { ...ofVerification, status: 'PENDING', modifiedOn: receivedOn });
        for (const one of [naming, stating]) await store(writeDeliveryMessage(one));
        const message = writeDeliveryMessage(told({ externalId: `erased-${serial}` }).delivery);
        const ended = await endsAtCall(emulators, { nth, when }, () => store(message));
        await store(message);
        const { eventId } = identifyEvent(naming.eventType, inflateBody(naming.deflatedBody), profile);
        expect([nth, await isGone(eventId)]).toEqual([nth, true]);
        if (!ended) {
          expect(nth).toBeGreaterThan(15);
          return;
        }
      }
    },
  );

  it('but not one of another externalId', async () => {
    const { event, delivery } = told({ externalId: `other-${serial}` });
    await store(writeDeliveryMessage(delivery));
    expect(await entityStore.read(person())).toBeDefined();
    expect(await isGone(event.eventId)).toBe(false);
  });
});

describe('a late event without an entity does not bring an erased person back', () => {
  const canary = 'Canarybird';
  const person = '6a0c1f0e-8def-4c1b-9a57-1f2e3d4c5b6a';
  const verificationId = '7b1d2f1f-8def-4d2c-8b68-2f3e4d5c6b7b';

  beforeEach(async () => {
    serial += 1;
    await entityStore.erase({ kind: 'natural-person', id: person }, async () => undefined);
    await entityStore.erase({ kind: 'identification-verification', id: verificationId }, async () => undefined);
    await onboardings.erase(onboardingIdOf('Müller'), undefined);
  });

  function toldOf(eventType: string, text: string | Buffer) {
    const body = Buffer.from(text);
    const delivery = { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(body) };
    return { eventId: identifyEvent(eventType, body, profile).eventId, delivery };
  }

  const named = (more: object) => JSON.stringify({ serial, name: canary, ...more });

  it.each<[string, string, () => string | Buffer]>([
    ['of a type that speaks of none', 'CUSTOMER_NOTIFICATION', () => named({ naturalPersonId: person })],
    ['that has the id somewhere in it', 'PROXY_NOTIFICATION', () => named({ proxies: [{ of: person }] })],
    ['that has it in capitals', 'USER_NOTIFICATION', () => named({ of: person.toUpperCase() })],
    ['of an unknown type', 'NEW_NOTIFICATION', () => named({ naturalPersonId: person })],
    ['that has an id that is no UUID', 'USER_NOTIFICATION', () => named({ person: { naturalPersonId: 'erased' } })],
    [
      'that names a verification',
      'DOCUMENT_NOTIFICATION',
      () => named({ identificationVerificationId: verificationId }),
    ],
    ['that names the externalId', 'ONBOARDING_NOTIFICATION', () => named({ person: { externalId: 'Müller' } })],
    [
      'in quarantine: of its status',
      'NATURAL_PERSON_NOTIFICATION',
      () => named({ naturalPersonId: person, status: 'x y' }),
    ],
    ['in quarantine: no JSON', 'NATURAL_PERSON_NOTIFICATION', () => `${named({ naturalPersonId: person })},`],
    [
      'in quarantine: no UTF-8',
      'NATURAL_PERSON_NOTIFICATION',
      () => Buffer.from([0xff, ...Buffer.from(named({ of: person })), 0xfe]),
    ],
  ])('%s', async (_, eventType, body) => {
    const { eventId, delivery } = toldOf(eventType, body());
    const other = toldOf(
      eventType,
      body()
        .toString()
        .replaceAll(/8def|erased|ller/gi, '9def'),
    );
    // Delivered once more it is nothing more.
    for (const deliveryId of ['first', 'again']) await store(writeDeliveryMessage({ ...delivery, deliveryId }));
    await store(writeDeliveryMessage(other.delivery));
    expect(await eventStore.read(eventId)).toMatchObject({ quarantineReason: undefined });
    expect([await isGone(eventId), await isGone(other.eventId)]).toEqual([true, false]);
    const { Items: rows = [] } = await emulators.dynamodb.send(new ScanCommand({ TableName: 'persons' }));
    expect(rows.map(({ event }) => event?.S)).not.toContain(eventId);
    expect(published.map(({ detail }) => detail)).toEqual([expect.objectContaining({ eventId: other.eventId })]);
  });

  it('that the drain has kept as the record that it was', async () => {
    const record = { id: 'r', body: named({ naturalPersonId: person }) };
    const { eventId, delivery } = toldOf('UNDELIVERED_WEBHOOK', JSON.stringify(record));
    const quarantineReason = 'UNDELIVERED_WITHOUT_CREATED_ON' as const;
    await eventStore.commit({ eventId, eventType: 'UNDELIVERED_WEBHOOK', quarantineReason }, delivery);
    await store(writeEventMessage(eventId));
    expect(await isGone(eventId)).toBe(true);
    expect(published).toEqual([]);
  });

  it('erases it after an end at any moment between commit and erasure, once it comes again', async () => {
    const { eventId, delivery } = toldOf('CUSTOMER_NOTIFICATION', named({ naturalPersonId: person }));
    let calls = 0;
    emulators.watch(({ when }) => {
      if (when === 'before') calls += 1;
      if (when === 'before' && calls > 1) throw new Error('The function ends.');
    });
    await expect(store(writeDeliveryMessage(delivery))).rejects.toThrow('');
    emulators.unwatch();
    expect(await isGone(eventId)).toBe(false);
    await store(writeDeliveryMessage(delivery));
    expect(await isGone(eventId)).toBe(true);
  });

  it.each(['TRANSFER_NOTIFICATION', 'TRADITIONAL_ASSET_ORDER_NOTIFICATION'])(
    'but %s is kept, in quarantine too',
    async (eventType) => {
      const { eventId, delivery } = toldOf(eventType, named({ naturalPersonId: person, status: 'x y' }));
      await store(writeDeliveryMessage(delivery));
      expect(await isGone(eventId)).toBe(false);
      expect(published).toHaveLength(1);
    },
  );
});
