import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUndelivered } from '#functions/retry-undelivered/drain/undelivered-record.ts';
import { createApplyEvent } from '#functions/webhook-ingest/store/apply-event.ts';
import { createStore } from '#functions/webhook-ingest/store/store-record.ts';
import { createEntityStore } from '#shared/entities/entity-store.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { identifyEvent, undeliveredEventType } from '#shared/events/event.ts';
import { type EventRow, readEventRow } from '#shared/events/event-row.ts';
import { createEventStore } from '#shared/events/event-store.ts';
import { deflateBody, writeDeliveryMessage, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { createCommitEvent } from '#shared/persons/person-index.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { size } from '#test/full-size.ts';
import { buildErasure } from '#test/functions/onboarding/erase-person/build-erasure.ts';
import { createHasErased } from '#test/functions/webhook-ingest/store/has-erased.ts';
import { createTestPersons } from '#test/shared/events/test-stores.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';
import { createDynamoDb } from '#test/simulation/aws/dynamodb.ts';
import { simulatedTables } from '#test/simulation/declared.ts';

const profile = platformProfile.parse({});
const receivedOn = '2026-01-02T03:04:05.678Z';
const now = () => new Date(receivedOn);

/** The person who is erased, and another one. The partner numbers persons, orders and everything else from 1. */
const erased = {
  id: '0190a6f0-1234-7abc-8def-00000000000a',
  verification: '0190a6f0-1234-7abc-8def-0000000000a1',
  externalId: '1',
};
const other = {
  id: '0190a6f0-1234-7abc-8def-00000000000b',
  verification: '0190a6f0-1234-7abc-8def-0000000000b1',
  externalId: '2',
};
type Person = typeof erased;

/** The types that describe a natural person, each written down a second time: a test does not trust the table of the product. */
const personTypes: ReadonlySet<string> = new Set([
  'NATURAL_PERSON_NOTIFICATION',
  'IDENTIFICATION_VERIFICATION_NOTIFICATION',
  'CUSTOMER_NOTIFICATION',
  'DOCUMENT_NOTIFICATION',
  'ONBOARDING_NOTIFICATION',
  'LABELS_UPDATE_NOTIFICATION',
  'PROXY_NOTIFICATION',
  'BENEFICIAL_OWNER_NOTIFICATION',
  'USER_NOTIFICATION',
  'OFFBOARDING_NOTIFICATION',
  'LEGAL_REPRESENTATIVE_NOTIFICATION',
  'JOINT_PERSON_NOTIFICATION',
]);

/** What a body says, and by that whether it is the erased person's. */
type Sample = { readonly eventType: string; readonly body: string; readonly isPersons: boolean };

const anyPerson = fc.constantFrom(erased, other);
/** What refers to a person, and is no name: `undefined` when the body refers to no person. */
const anyReference = fc.oneof(
  fc.constant(undefined),
  anyPerson.map(({ id }) => id),
  anyPerson.map(({ id }) => id.toUpperCase()),
  anyPerson.map(({ verification }) => verification),
);
const refersToErased = (reference: string | undefined) =>
  [erased.id, erased.verification].includes(reference?.toLowerCase() ?? '');

const mentions = fc.record({
  /** Of the record itself, by its own count. */
  externalId: fc.constantFrom(undefined, '1', '2'),
  requestedBy: anyReference,
  nested: anyReference,
  note: fc.constantFrom(undefined, '1', 'externalId', 'naturalPersonId'),
  /** A natural person that is named as such. */
  person: fc.constantFrom(undefined, { externalId: '1' }, { externalId: '2' }),
  status: fc.constantFrom('PENDING', 'not a word', undefined),
});

type Mentions = typeof mentions extends fc.Arbitrary<infer Value> ? Value : never;

const restOf = ({ externalId, requestedBy, nested, note, person, status }: Mentions) => ({
  externalId,
  requestedBy,
  parts: nested === undefined ? undefined : [{ deep: { of: nested } }],
  note,
  person,
  status,
  modifiedOn: receivedOn,
});

const namesErased = ({ requestedBy, nested, person }: Mentions) =>
  refersToErased(requestedBy) || refersToErased(nested) || person?.externalId === erased.externalId;

/** The resource of a natural person, at the top level or in a wrapper. */
function personSample(person: Person, isWrapped: boolean, rest: Mentions): Sample {
  const resource = { naturalPersonId: person.id, ...restOf(rest), externalId: person.externalId };
  const body = JSON.stringify(isWrapped ? { naturalPerson: resource } : resource);
  return { eventType: 'NATURAL_PERSON_NOTIFICATION', body, isPersons: person === erased };
}

function verificationSample(person: Person, isStated: boolean, rest: Mentions): Sample {
  const stated = isStated ? { naturalPersonId: person.id } : {};
  const body = JSON.stringify({ identificationVerificationId: person.verification, ...stated, ...restOf(rest) });
  const isPersons = person === erased || (!isStated && namesErased(rest));
  return { eventType: 'IDENTIFICATION_VERIFICATION_NOTIFICATION', body, isPersons };
}

/** A record of any other type, known or not: with an id and an externalId of its own, and a reference to a person. */
function recordSample(eventType: string, naturalPersonId: string | undefined, rest: Mentions): Sample {
  const body = JSON.stringify({ recordId: 'r-1', orderId: 'o-1', transferId: 't-1', naturalPersonId, ...restOf(rest) });
  const isErasable = personTypes.has(eventType) || !eventTypes.some((known) => known === eventType);
  return { eventType, body, isPersons: isErasable && (refersToErased(naturalPersonId) || namesErased(rest)) };
}

const others = eventTypes.filter(
  (type) => !['NATURAL_PERSON_NOTIFICATION', 'IDENTIFICATION_VERIFICATION_NOTIFICATION'].includes(type),
);

const anyWebhook: fc.Arbitrary<Sample> = fc.oneof(
  fc.tuple(anyPerson, fc.boolean(), mentions).map((given) => personSample(...given)),
  fc.tuple(anyPerson, fc.boolean(), mentions).map((given) => verificationSample(...given)),
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...others, 'NEW_NOTIFICATION'), anyReference, mentions)
      .map((given) => recordSample(...given)),
    weight: 6,
  },
);

/** The same webhooks, as the drain keeps them if the record in the platform's list cannot be read. */
const anySample = fc.oneof(
  { arbitrary: anyWebhook, weight: 4 },
  anyWebhook.map(
    ({ eventType, body, isPersons }): Sample => ({
      eventType: undeliveredEventType,
      body: JSON.stringify({ id: 'r', webhook: { eventType }, body }),
      isPersons,
    }),
  ),
);

function createWorld() {
  const { perform, table } = createDynamoDb(simulatedTables);
  let left = Number.POSITIVE_INFINITY;
  const send = async (command: unknown) => {
    left -= 1;
    if (left < 0) throw new Error('The function ends.');
    return perform(command as never);
  };
  const dynamodb = { send } as unknown as DynamoDBClient;
  const eventStore = createEventStore({ dynamodb, tableName: 'events', retentionDays: 30, now });
  const wait = async () => undefined;
  const entityStore = createEntityStore({
    dynamodb,
    tableName: 'entities',
    rules: entityRules,
    now,
    random: () => 0,
    wait,
  });
  const onboardings = createOnboardingStore({ dynamodb, tableName: 'onboardings', now });
  const lines = captureLines(now);
  const bus = { publish: async () => undefined };
  const hasErased = createHasErased(dynamodb);
  const persons = createTestPersons({ dynamodb, tableNameOf: (name) => name }, { eventStore, entityStore, now });
  const { personIndex, erasePersonEvents } = persons;
  const applyEvent = createApplyEvent({
    reportedKinds: [],
    entityStore,
    eventStore,
    personIndex,
    erasePersonEvents,
    hasErased,
    bus,
    wakeOnboarding: wait,
    ...lines,
  });
  const commitEvent = createCommitEvent({ eventStore, personIndex, ...lines });
  const store = createStore({ commitEvent, eventStore, applyEvent, profile, now, ...lines });
  const piecesOf = (value: object) =>
    readUndelivered({ value, bytes: Buffer.from(JSON.stringify(value)) } as never, { profile, now }).pieces;
  const erase = buildErasure({ onboardingStore: onboardings, persons, now, ...lines });
  return {
    /** As a delivery of the platform; or, as the drain commits a record that it cannot read. */
    take: async ({ eventType, body }: Sample) => {
      const bytes = Buffer.from(body);
      const delivery = { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(bytes) };
      await store(writeDeliveryMessage(delivery));
      return identifyEvent(eventType, bytes, profile).eventId;
    },
    /** As the drain commits a record of the platform's list. Gives the events that hold it. */
    commit: async (value: object): Promise<readonly string[]> => {
      const pieces = piecesOf(value);
      for (const { event, delivery, names } of pieces) await commitEvent(event, delivery, names);
      return pieces.map(({ event }) => event.eventId);
    },
    /** As `store` does with what the drain has handed over. */
    handOver: (eventId: string) => store(writeEventMessage(eventId)),
    /** The next so many calls of DynamoDB succeed, and then all fail until it is called again. */
    failAfter: (calls: number) => {
      left = calls;
    },
    onboard: () =>
      onboardings.create({
        ...sampleOnboarding(erased.externalId, {
          step: 'COMPLETED',
          naturalPersonId: erased.id,
          identificationVerificationId: erased.verification,
        }),
        outbox: [],
      }),
    erase: () => erase({ routeKey: 'DELETE /persons/{externalId}', pathParameters: { externalId: erased.externalId } }),
    rows: (): ReadonlyMap<string, EventRow> =>
      new Map(
        table('events')
          .all()
          .map((item) => [String(item['eventId']?.S), readEventRow(item)]),
      ),
  };
}

/** Exactly the events of the person are gone, and every other event is what it was. */
function checkRows(
  samples: ReadonlyMap<string, Sample>,
  before: ReadonlyMap<string, EventRow>,
  after: ReadonlyMap<string, EventRow>,
): void {
  for (const [eventId, { isPersons, eventType, body }] of samples) {
    const row = after.get(eventId);
    expect({ eventType, body, isGone: row?.erasedOn !== undefined }).toEqual({ eventType, body, isGone: isPersons });
    if (isPersons) expect(row?.deflatedBody).toEqual(deflateBody(new Uint8Array()));
    else expect(row).toEqual(before.get(eventId));
  }
}

describe('an erasure over every event type', () => {
  it('removes exactly the events that are the person’s, and leaves every other event as it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySample, { minLength: 1, maxLength: 25 }), async (given) => {
        const world = createWorld();
        await world.onboard();
        const samples = new Map<string, Sample>();
        for (const sample of given) samples.set(await world.take(sample), sample);
        const before = world.rows();
        expect(await world.erase()).toEqual({ statusCode: 204 });
        checkRows(samples, before, world.rows());
      }),
      { numRuns: size(40, 300) },
    );
  });

  it('removes exactly the late events that are the person’s, and stores every other event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anySample, { minLength: 1, maxLength: 15 }), async (given) => {
        const [world, untouched] = [createWorld(), createWorld()];
        await world.onboard();
        expect(await world.erase()).toEqual({ statusCode: 204 });
        const samples = new Map<string, Sample>();
        for (const sample of given) {
          samples.set(await world.take(sample), sample);
          await untouched.take(sample);
        }
        checkRows(samples, untouched.rows(), world.rows());
      }),
      { numRuns: size(40, 300) },
    );
  });

  it.each(eventTypes.map((eventType) => [eventType, personTypes.has(eventType)] as const))(
    'decides on a %s that names the person and has its externalId: erased is %s',
    async (eventType, isPersons) => {
      const world = createWorld();
      await world.onboard();
      const body = JSON.stringify({ recordId: 'r', externalId: erased.externalId, naturalPersonId: erased.id });
      const eventId = await world.take({ eventType, body, isPersons });
      await world.erase();
      expect(world.rows().get(eventId)?.erasedOn !== undefined).toBe(isPersons);
    },
  );
});

describe('a body with a key that stands twice', () => {
  it.each([
    [[erased.id, other.id], true],
    [[other.id, erased.id], true],
    [[other.id, other.id], false],
  ] as const)('is the person’s when either value of %j is its id: %s', async ([first, second], isPersons) => {
    for (const eventType of ['NATURAL_PERSON_NOTIFICATION', 'IDENTIFICATION_VERIFICATION_NOTIFICATION']) {
      const body = `{"identificationVerificationId":"v","naturalPersonId":"${first}","naturalPersonId":"${second}"}`;
      const [stored, late] = [createWorld(), createWorld()];
      for (const world of [stored, late]) await world.onboard();
      const eventId = await stored.take({ eventType, body, isPersons });
      for (const world of [stored, late]) expect(await world.erase()).toEqual({ statusCode: 204 });
      await late.take({ eventType, body, isPersons });
      for (const world of [stored, late]) expect(world.rows().get(eventId)?.erasedOn !== undefined).toBe(isPersons);
    }
  });
});

/** Deflates to more than one event holds, and has the id of the person where one piece ends and the next begins. */
function largeRecord(eventType: string, id: string) {
  const body = (padding: string) => JSON.stringify({ padding, requestedBy: id, more: noise(300_000) });
  const record = (padding: string) => ({ id: 'r', webhook: { eventType }, createdOn: receivedOn, body: body(padding) });
  const at = JSON.stringify(record('')).indexOf(id);
  return record('x'.repeat(256 * 1024 - at - 10));
}

/** Does not deflate well. */
function noise(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return String.fromCharCode(0x4e00 + (state % 20_000));
  }).join('');
}

describe('an undelivered record that is kept in pieces', () => {
  const isGone = (world: ReturnType<typeof createWorld>, eventId: string) =>
    world.rows().get(eventId)?.erasedOn !== undefined;
  const record = largeRecord('CUSTOMER_NOTIFICATION', erased.id);

  it('is erased with all its pieces, although no piece has the whole id of the person', async () => {
    const world = createWorld();
    await world.onboard();
    const eventIds = await world.commit(record);
    expect(eventIds.length).toBeGreaterThan(2);
    expect(await world.erase()).toEqual({ statusCode: 204 });
    expect(eventIds.map((eventId) => isGone(world, eventId))).toEqual(eventIds.map(() => true));
  });

  it.each([
    ['a record of business', largeRecord('SAVINGS_PLANS_NOTIFICATION', erased.id)],
    ['another person’s', largeRecord('CUSTOMER_NOTIFICATION', other.id)],
  ])('is kept with all its pieces where it is %s', async (_, kept) => {
    const world = createWorld();
    await world.onboard();
    const eventIds = await world.commit(kept);
    const before = world.rows();
    await world.erase();
    for (const eventId of eventIds) expect(world.rows().get(eventId)).toEqual(before.get(eventId));
  });

  it('is erased with all its pieces once the erasure is repeated after it ended at any call', async () => {
    for (let calls = 0; ; calls += size(7, 1)) {
      const world = createWorld();
      await world.onboard();
      const eventIds = await world.commit(record);
      world.failAfter(calls);
      const isDone = await world.erase().then(
        () => true,
        () => false,
      );
      world.failAfter(Number.POSITIVE_INFINITY);
      expect(await world.erase()).toEqual({ statusCode: 204 });
      expect(eventIds.filter((eventId) => !isGone(world, eventId))).toEqual([]);
      if (isDone) return;
    }
  });

  it('is erased with all its pieces when it comes late, in any order of its pieces', async () => {
    const count = (await createWorld().commit(record)).length;
    for (const order of [[...new Array(count).keys()], [...new Array(count).keys()].toReversed()]) {
      const world = createWorld();
      await world.onboard();
      await world.erase();
      const eventIds = await world.commit(record);
      for (const nth of order) await world.handOver(eventIds[nth] ?? '');
      expect(eventIds.filter((eventId) => !isGone(world, eventId))).toEqual([]);
    }
  });
});
