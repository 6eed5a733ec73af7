import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readBackEvent, writeReadBackMessage } from '#shared/events/read-back.ts';
import { writeDeliveryMessage, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { createOnboardingStore, type OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { endsAtCall } from '#test/shared/aws/ends-at-call.ts';
import { createStoreWorld, deliveryOf, eventIdOf, receivedOn, type StoreWorld } from './store-world.ts';

const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
const persons = 'NATURAL_PERSON_NOTIFICATION';
let emulators: Emulators;
let world: StoreWorld;
let onboardings: OnboardingStore;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
beforeEach(async () => {
  const { dynamodb, tableNameOf } = emulators;
  world = createStoreWorld(emulators);
  onboardings = createOnboardingStore({
    dynamodb,
    tableName: tableNameOf('onboardings'),
    now: () => new Date(receivedOn),
  });
  await world.entityStore.erase({ kind: 'natural-person', id: 'erased' }, async () => undefined);
});
afterEach(() => emulators.unwatch());

const verification = () => ({ kind: 'identification-verification', id: `v-${serial}` }) as const;

/** A webhook of this type: its delivery, and the id of its event. */
function webhook(eventType: string, body: string | Uint8Array) {
  return { eventId: eventIdOf(eventType, body), delivery: deliveryOf(eventType, body) };
}

const deliver = ({ delivery }: Pick<ReturnType<typeof webhook>, 'delivery'>) =>
  world.store(writeDeliveryMessage(delivery));

/** What a webhook says of the verification of this test. */
function ofVerification(more: object) {
  const body = { identificationVerificationId: `v-${serial}`, status: 'PENDING', modifiedOn: receivedOn, ...more };
  return webhook(verifications, JSON.stringify(body));
}

describe('promise 8: a verification of an erased person is erased with its first event', () => {
  beforeEach(() => {
    serial += 1;
  });

  it.each([
    ['at the top level', { naturalPersonId: 'erased' }],
    ['in a wrapper', { identificationVerification: { naturalPersonId: 'erased' } }],
  ])('erases the verification by a webhook that names the person %s', async (_, person) => {
    const event = ofVerification(person);
    await deliver(event);
    expect(await world.entityStore.isErased(verification())).toBe(true);
    expect(await world.isErased(event.eventId)).toBe(true);
    expect(world.published).toEqual([]);
  });

  it('erases the verification by an answer of the platform, also after another read', async () => {
    const times = { modifiedOn: receivedOn, readOn: receivedOn };
    const answer = { ...verification(), naturalPersonId: 'erased', status: 'PENDING', ...times };
    const { event, delivery } = readBackEvent(answer);
    await world.eventStore.commit(event, delivery);
    await world.store(writeEventMessage(event.eventId));
    expect(await world.entityStore.isErased(verification())).toBe(true);
    await world.store(writeReadBackMessage({ ...answer, readOn: '2026-01-03T00:00:00.000Z' }));
    expect(await world.entityStore.read(verification())).toBeUndefined();
    expect(await world.isErased(event.eventId)).toBe(true);
    expect(world.published).toEqual([]);
  });

  it('erases its earlier and later events that do not name the person', async () => {
    const [before, after] = [ofVerification({ message: 'before' }), ofVerification({ message: 'after' })];
    await deliver(before);
    expect(await world.entityStore.read(verification())).toBeDefined();
    await deliver(ofVerification({ naturalPersonId: 'erased' }));
    await deliver(after);
    expect([await world.isErased(before.eventId), await world.isErased(after.eventId)]).toEqual([true, true]);
    expect(await world.entityStore.isErased(verification())).toBe(true);
  });

  it('keeps the verification of another person', async () => {
    const event = ofVerification({ naturalPersonId: 'live', requestedBy: 'erased' });
    await deliver(event);
    expect(await world.entityStore.read(verification())).toBeDefined();
    expect(await world.isErased(event.eventId)).toBe(false);
    expect(world.published).toHaveLength(1);
  });

  it.each([
    ['a delivery', 'before'],
    ['a delivery', 'after'],
    ['an event handed over', 'before'],
    ['an event handed over', 'after'],
  ] as const)('erases the events of %s after an end %s any call, once the message comes again', async (what, when) => {
    for (let nth = 1; ; nth += 1) {
      serial += 1;
      const before = ofVerification({ message: 'before' });
      await deliver(before);
      const { eventId, delivery } = ofVerification({ naturalPersonId: 'erased' });
      // As replayed: its verification knows it already.
      await world.eventStore.commit({ eventId, eventType: verifications, quarantineReason: undefined }, delivery);
      const report = { status: 'PENDING', modifiedOn: receivedOn };
      await world.entityStore.apply({ ...verification(), eventId, receivedOn, report });
      const message = what === 'a delivery' ? writeDeliveryMessage(delivery) : writeEventMessage(eventId);
      const ended = await endsAtCall(emulators, { nth, when }, () => world.store(message));
      await world.store(message);
      expect(await world.entityStore.isErased(verification())).toBe(true);
      expect([await world.isErased(before.eventId), await world.isErased(eventId)]).toEqual([true, true]);
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
  function ofPerson(more: object) {
    const body = { naturalPersonId: person().id, naturalPersonStatus: 'ACTIVE', modifiedOn: receivedOn, ...more };
    return webhook(persons, JSON.stringify(body));
  }

  async function eraseNextPerson(): Promise<void> {
    serial += 1;
    await onboardings.erase(onboardingIdOf(`erased-${serial}`), undefined);
  }

  beforeEach(eraseNextPerson);

  it.each([
    ['at the top level', (externalId: string) => ({ externalId })],
    ['in a wrapper', (externalId: string) => ({ naturalPerson: { externalId } })],
  ])('erases the person by a webhook that has the externalId %s', async (_, named) => {
    const event = ofPerson(named(`erased-${serial}`));
    await deliver(event);
    expect(await world.entityStore.isErased(person())).toBe(true);
    expect(await world.isErased(event.eventId)).toBe(true);
    expect(world.published).toEqual([]);
  });

  it('erases what was read back of the person before', async () => {
    const times = { modifiedOn: receivedOn, readOn: receivedOn };
    await world.store(writeReadBackMessage({ ...person(), status: 'ACTIVE', ...times }));
    await deliver(ofPerson({ externalId: `erased-${serial}` }));
    expect(await world.entityStore.isErased(person())).toBe(true);
  });

  it.each(['before', 'after'] as const)(
    'erases what names only its verification after an end %s any call, once the message comes again',
    async (when) => {
      for (let nth = 1; ; nth += 1) {
        await eraseNextPerson();
        const [verificationId, naturalPersonId] = [randomUUID(), person().id];
        const naming = webhook('CUSTOMER_NOTIFICATION', JSON.stringify({ customerId: 'c', verificationId }));
        await deliver(naming);
        await deliver(ofVerification({ identificationVerificationId: verificationId, naturalPersonId }));
        const { delivery } = ofPerson({ externalId: `erased-${serial}` });
        const message = writeDeliveryMessage(delivery);
        const ended = await endsAtCall(emulators, { nth, when }, () => world.store(message));
        await world.store(message);
        expect([nth, await world.isErased(naming.eventId)]).toEqual([nth, true]);
        if (!ended) {
          expect(nth).toBeGreaterThan(15);
          return;
        }
      }
    },
  );

  it('keeps the person of another externalId', async () => {
    const event = ofPerson({ externalId: `other-${serial}` });
    await deliver(event);
    expect(await world.entityStore.read(person())).toBeDefined();
    expect(await world.isErased(event.eventId)).toBe(false);
  });
});

describe('a late event does not bring an erased person back', () => {
  const canary = 'Canarybird';
  const person = '6a0c1f0e-8def-4c1b-9a57-1f2e3d4c5b6a';
  const verificationId = '7b1d2f1f-8def-4d2c-8b68-2f3e4d5c6b7b';

  beforeEach(async () => {
    serial += 1;
    await world.entityStore.erase({ kind: 'natural-person', id: person }, async () => undefined);
    await world.entityStore.erase({ kind: 'identification-verification', id: verificationId }, async () => undefined);
    await onboardings.erase(onboardingIdOf('Müller'), undefined);
  });

  const named = (more: object) => JSON.stringify({ serial, name: canary, ...more });

  it('loses its body, and is not published, when its entity is erased', async () => {
    const body = named({ naturalPersonId: person, status: 'ACTIVE', validationError: { errorType: 'DUPLICATE' } });
    for (const deliveryId of ['first', 'again']) await deliver({ delivery: deliveryOf(persons, body, deliveryId) });
    expect(await world.read(persons, body)).toMatchObject({ body: '', erasedOn: receivedOn, eventType: persons });
    expect(world.published).toEqual([]);
  });

  it.each<[string, string, () => string | Buffer]>([
    ['of a type that has no entity', 'CUSTOMER_NOTIFICATION', () => named({ naturalPersonId: person })],
    ['that has the id somewhere in it', 'PROXY_NOTIFICATION', () => named({ proxies: [{ of: person }] })],
    ['that has the id in capitals', 'USER_NOTIFICATION', () => named({ of: person.toUpperCase() })],
    ['of an unknown type', 'NEW_NOTIFICATION', () => named({ naturalPersonId: person })],
    ['that has an id that is no UUID', 'USER_NOTIFICATION', () => named({ person: { naturalPersonId: 'erased' } })],
    [
      'that names a verification',
      'DOCUMENT_NOTIFICATION',
      () => named({ identificationVerificationId: verificationId }),
    ],
    ['that names the externalId', 'ONBOARDING_NOTIFICATION', () => named({ person: { externalId: 'Müller' } })],
    ['in quarantine for its status', persons, () => named({ naturalPersonId: person, status: 'x y' })],
    ['in quarantine as no JSON', persons, () => `${named({ naturalPersonId: person })},`],
    ['in quarantine as no UTF-8', persons, () => Buffer.from([0xff, ...Buffer.from(named({ of: person })), 0xfe])],
  ])('erases an event %s, and keeps the same event of another person', async (_, eventType, body) => {
    const event = webhook(eventType, body());
    const ofAnother = body()
      .toString()
      .replaceAll(/8def|erased|ller/gi, '9def');
    const other = webhook(eventType, ofAnother);
    for (const deliveryId of ['first', 'again']) await deliver({ delivery: { ...event.delivery, deliveryId } });
    await deliver(other);
    expect(await world.eventStore.read(event.eventId)).toMatchObject({ quarantineReason: undefined });
    expect([await world.isErased(event.eventId), await world.isErased(other.eventId)]).toEqual([true, false]);
    const persons = await emulators.dynamodb.send(new ScanCommand({ TableName: emulators.tableNameOf('persons') }));
    expect(persons.Items?.map(({ event: id }) => id?.S)).not.toContain(event.eventId);
    expect(world.published).toMatchObject([{ detail: { eventId: other.eventId } }]);
  });

  it('erases an event that the drain has kept as a record', async () => {
    const record = JSON.stringify({ id: 'r', body: named({ naturalPersonId: person }) });
    const { eventId, delivery } = webhook('UNDELIVERED_WEBHOOK', record);
    const quarantineReason = 'UNDELIVERED_WITHOUT_CREATED_ON' as const;
    await world.eventStore.commit({ eventId, eventType: 'UNDELIVERED_WEBHOOK', quarantineReason }, delivery);
    await world.store(writeEventMessage(eventId));
    expect(await world.isErased(eventId)).toBe(true);
    expect(world.published).toEqual([]);
  });

  it('erases an event after an end between its commit and its erasure, once the message comes again', async () => {
    const event = webhook('CUSTOMER_NOTIFICATION', named({ naturalPersonId: person }));
    expect(await endsAtCall(emulators, { nth: 2, when: 'before' }, () => deliver(event))).toBe(true);
    expect(await world.isErased(event.eventId)).toBe(false);
    await deliver(event);
    expect(await world.isErased(event.eventId)).toBe(true);
  });

  it.each(['TRANSFER_NOTIFICATION', 'TRADITIONAL_ASSET_ORDER_NOTIFICATION'])(
    'keeps a %s that names the person, in quarantine too',
    async (eventType) => {
      const event = webhook(eventType, named({ naturalPersonId: person, status: 'x y' }));
      await deliver(event);
      expect(await world.isErased(event.eventId)).toBe(false);
      expect(world.published).toHaveLength(1);
    },
  );
});
