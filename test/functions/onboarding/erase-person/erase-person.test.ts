import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createErasureMark } from '#functions/onboarding/erase-person/erasure-mark.ts';
import { evolve } from '#functions/onboarding/state-machine/evolve.ts';
import { personAnswer } from '#shared/api/onboarding-answers.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import { identifyEvent } from '#shared/events/event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { readBackEvent } from '#shared/events/read-back.ts';
import { deflateBody, inflateBody } from '#shared/events/webhook-delivery.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { isErased, type OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { newOnboarding, type OnboardingState } from '#shared/onboarding/onboarding-state.ts';
import { createOnboardingStore, type OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { size } from '#test/full-size.ts';
import { buildErasure, createTestCommit } from '#test/functions/onboarding/erase-person/build-erasure.ts';
import { createHasErased } from '#test/functions/webhook-ingest/store/has-erased.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { endsAtCall } from '#test/shared/aws/ends-at-call.ts';
import { createTestPersons, createTestStores } from '#test/shared/events/test-stores.ts';
import { captureLines, type WrittenLines } from '#test/shared/lambda/written-lines.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const canary = 'Erika Mustermann';
const profile = platformProfile.parse({});
const now = () => new Date('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let entityStore: EntityStore;
let eventStore: EventStore;
let onboardingStore: OnboardingStore;
let lines: WrittenLines;
let erasePerson: ReturnType<typeof buildErasure>;
let commit: ReturnType<typeof createTestCommit>;
/** Moves with each reading, if a test says so. */
let time: () => Date;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('entities', 'entities');
  await emulators.createTable('onboardings', 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(() => {
  const { dynamodb } = emulators;
  ({ eventStore, entityStore } = createTestStores(emulators, now));
  onboardingStore = createOnboardingStore({ dynamodb, tableName: 'onboardings', now });
  lines = captureLines(now);
  time = now;
  const persons = createTestPersons(emulators, { eventStore, entityStore, now });
  commit = createTestCommit(eventStore, persons);
  erasePerson = buildErasure({ onboardingStore, persons, now: () => time(), ...lines });
});
afterEach(() => emulators.unwatch());

/** Stores an event and applies it, as store does. Gives its id. */
async function deliver(eventType: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  const bytes = Buffer.from(JSON.stringify({ ...body, name: `${canary} ${serial}.` }));
  const { placed, ...event } = identifyEvent(eventType, bytes, profile);
  const receivedOn = now().toISOString();
  await commit(event, { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(bytes) });
  if (placed === undefined) throw new Error('It speaks of no entity.');
  await entityStore.apply({ ...placed, eventId: event.eventId, receivedOn });
  return event.eventId;
}

/** An onboarding whose events are all published. */
const published = (externalId: string, state: Partial<OnboardingState>) => ({
  ...sampleOnboarding(externalId, state),
  outbox: [],
});

/** A person whose onboarding is at this step, of whom ten events speak unless fewer are wanted, and two of its verification. */
async function onboarded(state: Partial<OnboardingState> = { step: 'COMPLETED' }, lastSecond = 19) {
  serial += 1;
  const externalId = `${canary} ${serial}.`;
  const [naturalPersonId, identificationVerificationId] = [`person-${serial}`, `verification-${serial}`];
  await onboardingStore.create(published(externalId, { naturalPersonId, identificationVerificationId, ...state }));
  const eventIds: string[] = [];
  for (let second = 10; second <= lastSecond; second += 1) {
    const modifiedOn = `2026-01-02T00:00:${second}Z`;
    const status = second % 2 === 0 ? 'ACTIVE' : 'SUSPENDED';
    eventIds.push(await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, status, modifiedOn }));
  }
  for (const status of ['PENDING', 'APPROVED'])
    eventIds.push(
      await deliver('IDENTIFICATION_VERIFICATION_NOTIFICATION', {
        identificationVerificationId,
        naturalPersonId,
        status,
      }),
    );
  return { externalId, naturalPersonId, identificationVerificationId, eventIds };
}

const requestOf = (externalId: string, named?: string | Readonly<Record<string, string>>) => ({
  routeKey: 'DELETE /persons/{externalId}',
  pathParameters: { externalId },
  ...(named !== undefined && {
    queryStringParameters: typeof named === 'string' ? { naturalPersonId: named } : named,
  }),
});

/** What a 202 asks the caller to send the erasure again with. */
function nextOf(body = '{}'): Readonly<Record<string, string>> {
  const { message, ...next } = JSON.parse(body);
  return next;
}

/**
 * Sends the erasure again as each 202 says, as a caller is to. Gives the last answer.
 *
 * @param onNext receives the request that each 202 asks for
 */
async function eraseOn(request: object, onNext: (request: object) => void = () => undefined) {
  let answered = await erasePerson(request);
  for (let left = 5; answered.statusCode === 202 && left > 0; left -= 1) {
    const next = { ...request, queryStringParameters: nextOf(answered.body) };
    onNext(next);
    answered = await erasePerson(next);
  }
  return answered;
}

/** All that DynamoDB holds, with the bodies as text. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const TableName of ['entities', 'onboardings', emulators.tableName]) {
    const { Items = [] } = await emulators.dynamodb.send(new ScanCommand({ TableName }));
    for (const item of Items) {
      const bytes = ['deflatedBody', 'data', 'latest'].flatMap((name) => item[name]?.B ?? []);
      texts.push(JSON.stringify(item), ...bytes.map((one) => Buffer.from(inflateBody(one)).toString()));
    }
  }
  return texts.join('\n');
}

describe('DELETE /persons/{externalId}', () => {
  it('erases the entities of the person, the bodies of its events, and its onboarding', async () => {
    const { externalId, naturalPersonId, identificationVerificationId, eventIds } = await onboarded();
    expect(await everything()).toContain(`${canary} ${serial}.`);
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(await everything()).not.toContain(`${canary} ${serial}.`);
    expect(await entityStore.read({ kind: 'natural-person', id: naturalPersonId })).toBeUndefined();
    const verification = { kind: 'identification-verification', id: identificationVerificationId } as const;
    expect(await entityStore.read(verification)).toBeUndefined();
    for (const eventId of eventIds)
      expect(await eventStore.read(eventId)).toMatchObject({ erasedOn: now().toISOString() });
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
  });

  it('logs who asked for the erasure, with every id that repeats it', async () => {
    const { externalId, naturalPersonId, identificationVerificationId } = await onboarded();
    const [id, other] = [`former-${serial}`, onboardingIdOf('of-the-same-person')];
    const request = requestOf(externalId, { naturalPersonId: `${id},${naturalPersonId}`, onboardingId: other });
    const requestContext = { authorizer: { iam: { accessKey: 'AKIA' } } };
    expect(await erasePerson({ ...request, requestContext })).toEqual({ statusCode: 204 });
    expect(lines.objects()).toContainEqual(
      expect.objectContaining({
        message: 'person erased',
        accessKeyId: 'AKIA',
        onboardingId: onboardingIdOf(externalId),
        otherOnboardingIds: other,
        naturalPersonIds: `${id},${naturalPersonId}`,
        identificationVerificationIds: identificationVerificationId,
      }),
    );
  });

  it.each([
    ['queryStringParameters', null],
    ['each query parameter', { naturalPersonId: null, identificationVerificationId: null, onboardingId: null }],
  ])('erases the person when a gateway sends null for %s', async (_, queryStringParameters) => {
    const { externalId } = await onboarded();
    expect(await erasePerson({ ...requestOf(externalId), queryStringParameters, body: null })).toEqual({
      statusCode: 204,
    });
    expect(await everything()).not.toContain(`${canary} ${serial}.`);
  });

  it('keeps a record of the erasure, without personal data', async () => {
    const { externalId } = await onboarded();
    await erasePerson(requestOf(externalId));
    const row = await onboardingStore.load(onboardingIdOf(externalId));
    expect(row !== undefined && isErased(row)).toBe(true);
    expect(row).toMatchObject({ erasedOn: now().toISOString(), step: 'COMPLETED' });
  });

  it('gives the same answer to each repetition', async () => {
    const { externalId } = await onboarded();
    for (let times = 0; times < 3; times += 1)
      expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
  });

  it.each(['before', 'after'] as const)(
    'completes after an end %s any call, once it is repeated',
    async (when) => {
      const externalIds: string[] = [];
      for (let nth = 1; ; nth += size(3, 1)) {
        // The fewer events, the fewer calls to end at: three of a person and two of a verification make up every kind of call.
        const { externalId, eventIds } = await onboarded({ step: 'COMPLETED' }, 12);
        externalIds.push(externalId);
        const ended = await endsAtCall(emulators, { nth, when }, () => erasePerson(requestOf(externalId)));
        expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
        for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
        if (!ended) {
          expect(nth).toBeGreaterThan(12);
          const left = await everything();
          expect(externalIds.filter((id) => left.includes(id))).toEqual([]);
          return;
        }
      }
    },
    120_000,
  );

  it('erases a person that was onboarded otherwise by the id of the platform as well', async () => {
    const eventId = await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'other', status: 'ACTIVE' });
    expect(await erasePerson(requestOf('unknown'))).toMatchObject({ statusCode: 404 });
    expect(await erasePerson(requestOf('unknown', 'other'))).toEqual({ statusCode: 204 });
    expect(await eventStore.read(eventId)).toMatchObject({ erasedOn: now().toISOString() });
  });

  it('answers 409 while its onboarding is open, which would create the person again', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'AWAITING_VIDEO_CALL' });
    const answer = await erasePerson(requestOf(externalId));
    expect(answer).toMatchObject({ statusCode: 409, body: expect.stringContaining('onboarding-open') });
    expect(await entityStore.read({ kind: 'natural-person', id: naturalPersonId })).toBeDefined();
  });

  it.each(['', 'a b', 'a/b', 'x'.repeat(200)])(
    'answers 400 for the id %j, which no person can have',
    async (naturalPersonId) => {
      const { statusCode, body = '' } = await erasePerson(requestOf('unknown', naturalPersonId));
      expect([statusCode, JSON.parse(body)]).toMatchObject([400, { errors: [{ parameter: 'naturalPersonId' }] }]);
    },
  );

  const unknown = { naturalPersonId: undefined, identificationVerificationId: undefined } as const;

  it.each([
    ['was canceled before the answer to its create came', { step: 'CANCELED', intentOn: now().toISOString() }],
    ['was canceled after a create without an answer, and a refused one', { step: 'CANCELED', hasUnknownCreate: true }],
    ['failed after a create without an answer', { step: 'FAILED', hasUnknownCreate: true }],
    ['expired before it had found its person', { step: 'EXPIRED', intentOn: now().toISOString() }],
    [
      'was canceled in its search for the person that the platform has by its 409',
      evolve(
        { ...newOnboarding('video', now().toISOString()), step: 'FINDING_PERSON' },
        { type: 'Canceled' },
        now().toISOString(),
      ),
    ],
    ['was restarted, and forgot the person that it had', { step: 'CANCELED', mustSeek: true }],
    ['was restarted, and failed', { step: 'FAILED', mustSeek: true, intentOn: now().toISOString() }],
  ] as const satisfies readonly (readonly [string, Partial<OnboardingState>])[])(
    'requires the id of the person where its onboarding %s',
    async (_, state) => {
      const { externalId, naturalPersonId } = await onboarded({ ...unknown, ...state });
      expect(await erasePerson(requestOf(externalId))).toMatchObject({
        statusCode: 409,
        body: expect.stringContaining('naturalPersonId'),
      });
      expect(isErased((await onboardingStore.load(onboardingIdOf(externalId))) ?? ({} as never))).toBe(false);
      expect(await eraseOn(requestOf(externalId, naturalPersonId))).toEqual({ statusCode: 204 });
      expect(await entityStore.read({ kind: 'natural-person', id: naturalPersonId })).toBeUndefined();
    },
  );

  it.each([
    ['was canceled before anything was sent', { step: 'CANCELED' }],
    ['was refused by the platform', { step: 'FAILED', intentOn: now().toISOString() }],
  ] as const)('erases immediately when there can be no person since its onboarding %s', async (_, state) => {
    const { externalId } = await onboarded({ ...unknown, ...state });
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
  });

  it('keeps the entity of a transfer', async () => {
    const { externalId, naturalPersonId } = await onboarded();
    await deliver('TRANSFER_NOTIFICATION', { transferId: `t-${serial}`, naturalPersonId, status: 'PROCESSED' });
    await erasePerson(requestOf(externalId));
    expect(await entityStore.read({ kind: 'transfer', id: `t-${serial}` })).toMatchObject({ status: 'PROCESSED' });
  });
});

/** Stores an event that no entity knows of: in quarantine, or of a type that speaks of none. Gives its id. */
async function keep(eventType: string, body: string | Buffer): Promise<string> {
  const bytes = Buffer.from(body);
  const { placed, ...event } = identifyEvent(eventType, bytes, profile);
  if (placed !== undefined) throw new Error('It speaks of an entity.');
  const receivedOn = now().toISOString();
  await commit(event, { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(bytes) });
  return event.eventId;
}

const isGone = async (eventId: string) => (await eventStore.read(eventId))?.erasedOn !== undefined;
const uuidOf = (number: number) => `0190a6f0-1234-7abc-8def-${String(number).padStart(12, '0')}`;

describe('erasing a person, with what it had before a retry', () => {
  it('erases former verifications, and former persons', async () => {
    const [formerPerson, formerVerification] = [`former-person-${serial}`, `former-verification-${serial}`];
    const { externalId } = await onboarded({
      step: 'COMPLETED',
      formerPersonIds: [formerPerson],
      formerVerificationIds: [formerVerification],
    });
    const eventIds = [
      await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: formerPerson, status: 'INVALID' }),
      await deliver('IDENTIFICATION_VERIFICATION_NOTIFICATION', {
        identificationVerificationId: formerVerification,
        status: 'REJECTED',
      }),
    ];
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
    expect(await entityStore.isErased({ kind: 'natural-person', id: formerPerson })).toBe(true);
    expect(await entityStore.isErased({ kind: 'identification-verification', id: formerVerification })).toBe(true);
    expect(await everything()).not.toContain(`${canary} ${serial}.`);
  });

  it('erases several verifications that the caller names', async () => {
    const ids = [`v-${serial}-1`, `v-${serial}-2`];
    const eventIds: string[] = [];
    for (const identificationVerificationId of ids)
      eventIds.push(
        await deliver('IDENTIFICATION_VERIFICATION_NOTIFICATION', { identificationVerificationId, status: 'PENDING' }),
      );
    const named = { naturalPersonId: 'p-1', identificationVerificationId: ids.join(',') };
    expect(await erasePerson(requestOf('unknown', named))).toEqual({ statusCode: 204 });
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
  });
});

describe('erasing a person, with verifications that its onboarding had not found yet', () => {
  const verifications = 'IDENTIFICATION_VERIFICATION_NOTIFICATION';
  const of = (id: string) => ({ kind: 'identification-verification', id }) as const;

  /** A verification that no onboarding knows: its webhooks, of which one does not say whose it is. Gives their ids. */
  async function deliverAbout(id: string, naturalPersonId: string): Promise<readonly string[]> {
    const owner = [{ naturalPersonId }, {}, { naturalPersonId }];
    const eventIds: string[] = [];
    for (const [nth, whose] of owner.entries())
      eventIds.push(
        await deliver(verifications, {
          identificationVerificationId: id,
          status: 'PENDING',
          message: `${nth}`,
          ...whose,
        }),
      );
    return eventIds;
  }

  it('erases the entities of these verifications, and the bodies of all their events', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'CANCELED' });
    const eventIds = await deliverAbout(`unfound-${serial}`, naturalPersonId);
    expect(await eraseOn(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(await entityStore.isErased(of(`unfound-${serial}`))).toBe(true);
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
    expect(await everything()).not.toContain(`${canary} ${serial}.`);
  });

  it('erases what names only such a verification', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'CANCELED' });
    const id = uuidOf(10_000 + serial);
    const naming: string[] = [];
    for (let number = 0; number < 20; number += 1)
      naming.push(await keep('NEW_NOTIFICATION', JSON.stringify({ verification: id, number, name: canary })));
    await deliverAbout(id, naturalPersonId);
    expect(await eraseOn(requestOf(externalId))).toEqual({ statusCode: 204 });
    for (const eventId of naming) expect(await isGone(eventId)).toBe(true);
  });

  it('erases a verification that only an answer of the platform has reported', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'CANCELED' });
    const times = { modifiedOn: now().toISOString(), readOn: now().toISOString() };
    const answer = { ...of(`read-${serial}`), naturalPersonId, status: 'PENDING', ...times };
    const { event, delivery } = readBackEvent(answer);
    await commit(event, delivery);
    await entityStore.apply({ ...event.placed, ...event });
    expect(await eraseOn(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(await entityStore.isErased(of(`read-${serial}`))).toBe(true);
    expect(await isGone(event.eventId)).toBe(true);
  });

  it('keeps the verification of another person, and its event, which refers to the erased person', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'CANCELED' });
    const [id, requestedBy] = [`other-${serial}`, naturalPersonId];
    const body = { identificationVerificationId: id, naturalPersonId: 'somebody-else', requestedBy, status: 'PENDING' };
    const eventId = await deliver(verifications, body);
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(await entityStore.read(of(id))).toBeDefined();
    expect(await isGone(eventId)).toBe(false);
  });

  it.each(['before', 'after'] as const)(
    'completes after an end %s any call, once it is repeated',
    async (when) => {
      for (let nth = 1; ; nth += size(3, 1)) {
        serial += 1;
        let request: object = requestOf('unknown', `person-${serial}`);
        const eventIds = await deliverAbout(`unfound-${serial}`, `person-${serial}`);
        const ended = await endsAtCall(emulators, { nth, when }, () =>
          eraseOn(request, (next) => {
            request = next;
          }),
        );
        expect(await eraseOn(request)).toEqual({ statusCode: 204 });
        expect(await entityStore.isErased(of(`unfound-${serial}`))).toBe(true);
        for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
        if (!ended) {
          expect(nth).toBeGreaterThan(15);
          return;
        }
      }
    },
    120_000,
  );
});

describe('erasing a person, with webhooks that no entity knows', () => {
  const person = uuidOf(1);
  const erase = (externalId = 'unknown', naturalPersonId = person) =>
    erasePerson(requestOf(externalId, naturalPersonId));

  it.each([
    ['of an unknown type', 'NEW_NOTIFICATION', JSON.stringify({ naturalPersonId: person, name: canary })],
    ['of a type that speaks of no entity', 'PROXY_NOTIFICATION', JSON.stringify({ proxies: [{ of: person }] })],
    ['with the id in capitals', 'NEW_NOTIFICATION', JSON.stringify({ id: person.toUpperCase() })],
    ['that is not JSON', 'NATURAL_PERSON_NOTIFICATION', `{"naturalPersonId":"${person}","name":"${canary}`],
    ['that is no UTF-8', 'NATURAL_PERSON_NOTIFICATION', Buffer.from([0xff, ...Buffer.from(`"${person}"`), 0xfe])],
    [
      'that the drain has kept as the record that it was',
      'UNDELIVERED_WEBHOOK',
      JSON.stringify({ body: JSON.stringify({ naturalPersonId: person }) }),
    ],
    ['that is nested as deep as can be', 'NEW_NOTIFICATION', `${'['.repeat(5_000)}"${person}"${']'.repeat(5_000)}`],
  ])('erases a webhook with %s', async (_, eventType, body) => {
    const eventId = await keep(eventType, body);
    const other = await keep(eventType, body.toString().replaceAll(/8def/gi, '9def'));
    expect(await erase()).toEqual({ statusCode: 204 });
    expect(await isGone(eventId)).toBe(true);
    expect(await isGone(other)).toBe(false);
  });

  it('erases by the externalId only where it is that of a natural person', async () => {
    const named = await keep('NEW_NOTIFICATION', JSON.stringify({ person: { externalId: 'Müller' }, name: canary }));
    const webhook = { eventType: 'NATURAL_PERSON_NOTIFICATION' };
    const kept = JSON.stringify({ webhook, body: JSON.stringify({ externalId: 'Müller' }) });
    const inside = await keep('UNDELIVERED_WEBHOOK', kept);
    const cutOff = await keep('NATURAL_PERSON_NOTIFICATION', `{"externalId": "Müller","name":"${canary}`);
    const others = [
      await keep('NEW_NOTIFICATION', JSON.stringify({ externalId: 'Müller' })),
      await keep('CUSTOMER_NOTIFICATION', JSON.stringify({ customerId: 'c', externalId: 'Müller' })),
      await keep('UNDELIVERED_WEBHOOK', JSON.stringify({ body: JSON.stringify({ externalId: 'Müller' }) })),
      await keep('NEW_NOTIFICATION', JSON.stringify({ name: 'Müller' })),
      await keep('NEW_NOTIFICATION', JSON.stringify({ externalId: 'Müller 2' })),
      await keep('NEW_NOTIFICATION', '{"externalId":"Müller 2","of":"Müller'),
    ];
    expect(await erase('Müller')).toEqual({ statusCode: 204 });
    for (const eventId of [named, inside, cutOff]) expect(await isGone(eventId)).toBe(true);
    for (const eventId of others) expect(await isGone(eventId)).toBe(false);
  });

  it('erases by an id that is no UUID, where the id is a whole value', async () => {
    const named = await keep('NEW_NOTIFICATION', JSON.stringify({ person: 4_711 }));
    const other = await keep('NEW_NOTIFICATION', JSON.stringify({ person: 47_110, text: '4711 and more' }));
    expect(await erase('unknown', '4711')).toEqual({ statusCode: 204 });
    expect([await isGone(named), await isGone(other)]).toEqual([true, false]);
  });

  it.each([
    ['an id', 'NEW_NOTIFICATION', '4712'],
    ['an externalId, of a type that speaks of natural persons', 'NATURAL_PERSON_NOTIFICATION', 'partner-4713@example'],
  ])('erases a body that is not JSON, by %s that is a whole word', async (_, eventType, word) => {
    const broken = (text: string) => keep(eventType, `{"serial":${serial},"of":${text},"name":"${canary}`);
    const mine = [await broken(`"${word}"`), await broken(`\\"${word}\\"`), await broken(`<a b=${word}>`)];
    const others = [await broken(`"x${word}"`), await broken(`"${word}x"`), await broken('"another"')];
    expect(await erase(word, eventType === 'NEW_NOTIFICATION' ? word : uuidOf(99))).toEqual({ statusCode: 204 });
    expect(await Promise.all(mine.map(isGone))).toEqual([true, true, true]);
    expect(await Promise.all(others.map(isGone))).toEqual([false, false, false]);
  });

  it('keeps a body that is not JSON for a shorter time, since it may not find the person in it', async () => {
    const days = async (text: string, eventType = 'NEW_NOTIFICATION') => {
      const { expiresAt = 0 } = (await eventStore.read(await keep(eventType, text))) ?? {};
      return (expiresAt - Math.floor(now().getTime() / 1_000)) / 86_400;
    };
    expect(await days('{"shorter":')).toBe(20);
    expect(await days(JSON.stringify({ longer: true }))).toBe(30);
    expect(await days('{"transfer":', 'TRANSFER_NOTIFICATION')).toBe(30);
    expect(
      await days(JSON.stringify({ body: '{"shorter":', webhook: { eventType: 'X' } }), 'UNDELIVERED_WEBHOOK'),
    ).toBe(20);
  });

  it('takes an erased event out of quarantine, and keeps nothing of it when it is delivered again', async () => {
    const body = JSON.stringify({ naturalPersonId: person, redelivered: true });
    const eventId = await keep('NEW_NOTIFICATION', body);
    await erase();
    expect(await eventStore.read(eventId)).toMatchObject({ quarantineReason: undefined });
    await keep('NEW_NOTIFICATION', body);
    const row = await eventStore.read(eventId);
    expect(inflateBody(row?.deflatedBody ?? new Uint8Array())).toHaveLength(0);
  });

  it('keeps the event of a transfer in quarantine', async () => {
    const eventId = await keep('TRANSFER_NOTIFICATION', JSON.stringify({ naturalPersonId: person, status: 'x y' }));
    await erase();
    expect(await isGone(eventId)).toBe(false);
  });
});

describe('erasing a person by its externalId when its onboarding did not know it', () => {
  /** Canceled before anything was asked for; of the person a webhook said what its externalId is, another one did not. */
  async function canceledEarly() {
    const { externalId, naturalPersonId, eventIds } = await onboarded({
      step: 'CANCELED',
      naturalPersonId: undefined,
      identificationVerificationId: undefined,
    });
    const naming = await deliver('NATURAL_PERSON_NOTIFICATION', {
      naturalPersonId,
      externalId,
      status: 'ACTIVE',
      modifiedOn: '2026-01-02T00:00:30Z',
    });
    return { externalId, naturalPersonId, eventIds, naming };
  }

  it('finds the person by it, and erases what names only the person', async () => {
    const { externalId, naturalPersonId, eventIds, naming } = await canceledEarly();
    const verification = { kind: 'identification-verification', id: `verification-${serial}` } as const;
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(await entityStore.read({ kind: 'natural-person', id: naturalPersonId })).toBeUndefined();
    expect(await entityStore.read(verification)).toBeUndefined();
    for (const eventId of [...eventIds, naming]) expect(await isGone(eventId)).toBe(true);
    expect(await everything()).not.toContain(externalId);
  });
});

describe('what an erasure reads', () => {
  it.each(['GET', 'DELETE'])('depends on the events of the person, and not on those of others: %s', async (method) => {
    const callsOf: number[] = [];
    for (const others of [5, 50]) {
      for (let number = 0; number < others; number += 1)
        await keep('NEW_NOTIFICATION', JSON.stringify({ naturalPersonId: uuidOf(20_000 + serial), number, others }));
      const { externalId } = await onboarded();
      let calls = 0;
      emulators.watch(({ when }) => {
        if (when === 'before') calls += 1;
      });
      const { statusCode } = await erasePerson({
        ...requestOf(externalId),
        routeKey: `${method} /persons/{externalId}`,
      });
      expect(statusCode).toBeLessThan(300);
      emulators.unwatch();
      callsOf.push(calls);
    }
    expect(callsOf[0]).toBe(callsOf[1]);
  });
});

describe('GET /persons/{externalId}', () => {
  it('shows what an erasure removes and keeps, and changes nothing', async () => {
    const { externalId, naturalPersonId, identificationVerificationId, eventIds } = await onboarded();
    const transfer = `t-${serial}`;
    const kept = await deliver('TRANSFER_NOTIFICATION', { transferId: transfer, naturalPersonId, status: 'PROCESSED' });
    const before = await everything();
    const answer = await erasePerson({ ...requestOf(externalId), routeKey: 'GET /persons/{externalId}' });
    const { events, ...shown } = personAnswer.parse(JSON.parse(answer.body ?? ''));
    expect({ status: answer.statusCode, ...shown }).toEqual({
      status: 200,
      onboardingId: onboardingIdOf(externalId),
      onboarding: 'COMPLETED',
      naturalPersonIds: [naturalPersonId],
      identificationVerificationIds: [identificationVerificationId],
      kept: [{ eventId: kept, eventType: 'TRANSFER_NOTIFICATION', entity: { kind: 'transfer', id: transfer } }],
      others: { onboardingIds: [], naturalPersonIds: [] },
      isIndexed: true,
      isComplete: true,
    });
    expect(new Set(events.map(({ eventId }) => eventId))).toEqual(new Set(eventIds));
    expect(answer.body).not.toMatch(/Erika|Mustermann/);
    expect(await everything()).toBe(before);
  });

  it('has what the onboardings still hold of their requests on request, and logs who has read it', async () => {
    const { externalId } = await onboarded();
    const requestContext = { authorizer: { iam: { accessKey: 'AKIA' } } };
    const read = async (request?: Readonly<Record<string, string>>) => {
      const event = { ...requestOf(externalId, request), routeKey: 'GET /persons/{externalId}', requestContext };
      const { statusCode, body } = await erasePerson(event);
      return { statusCode, ...JSON.parse(body ?? '') };
    };
    expect(await read()).not.toHaveProperty('requests');
    expect(lines.text()).not.toContain('onboarding request read');
    const onboardingId = onboardingIdOf(externalId);
    const held = { onboardingId, person: expect.objectContaining({ externalId }) };
    expect(await read({ request: 'include' })).toMatchObject({ statusCode: 200, requests: [held] });
    expect(lines.objects()).toContainEqual(
      expect.objectContaining({ message: 'onboarding request read', onboardingId, accessKeyId: 'AKIA' }),
    );
    expect(lines.text()).not.toMatch(/Erika|Mustermann/);
    expect(await read({ request: 'all' })).toMatchObject({
      statusCode: 400,
      errors: [{ parameter: 'request', detail: 'must be include' }],
    });
    await erasePerson(requestOf(externalId));
    expect(await read({ request: 'include' })).toMatchObject({ requests: [] });
  });

  it('shows that the person is erased', async () => {
    const { externalId } = await onboarded();
    await erasePerson(requestOf(externalId));
    const { body = '' } = await erasePerson({ ...requestOf(externalId), routeKey: 'GET /persons/{externalId}' });
    expect(JSON.parse(body)).toMatchObject({ onboarding: 'ERASED', events: [], naturalPersonIds: [] });
  });
});

describe('the path of an erasure', () => {
  it('can name the onboarding by its id', async () => {
    const { externalId, eventIds } = await onboarded();
    expect(await erasePerson(requestOf(`onboardingId:${onboardingIdOf(externalId)}`))).toEqual({ statusCode: 204 });
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
    expect(isErased((await onboardingStore.load(onboardingIdOf(externalId))) ?? ({} as never))).toBe(true);
  });

  it.each(['', 'onboardingId:', 'onboardingId:0123', `onboardingId:${'A'.repeat(64)}`, 'x'.repeat(300)])(
    'is refused when it is %j, and nothing is written',
    async (externalId) => {
      const before = await everything();
      const answer = await erasePerson(requestOf(externalId, uuidOf(1)));
      expect(answer).toMatchObject({ statusCode: 400, body: expect.stringContaining('onboardingId:') });
      expect(await everything()).toBe(before);
    },
  );
});

describe('an erasure with ids of different persons', () => {
  const others = (body = '') => {
    const { type, onboardingIds, naturalPersonIds } = JSON.parse(body);
    return { type, onboardingIds, naturalPersonIds };
  };
  const ofOthers = 'urn:drawbridge:problem:ids-of-others';

  it.each(['AWAITING_VIDEO_CALL', 'COMPLETED'] as const)(
    'is refused where the onboarding of the other one is %s, and the mistyped externalId can be used',
    async (step) => {
      const { externalId, naturalPersonId, eventIds } = await onboarded({ step });
      const before = await everything();
      const { statusCode, body } = await erasePerson(requestOf(`${externalId} mistyped`, naturalPersonId));
      const onboardingIds = [onboardingIdOf(externalId)];
      expect([statusCode, others(body)]).toEqual([409, { type: ofOthers, onboardingIds, naturalPersonIds: [] }]);
      expect(await everything()).toBe(before);
      for (const eventId of eventIds) expect(await isGone(eventId)).toBe(false);
    },
  );

  it('is refused where a stored event gives the person another externalId', async () => {
    serial += 1;
    const [naturalPersonId, externalId] = [`person-${serial}`, `partner-${serial}`];
    await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, externalId, status: 'ACTIVE' });
    const { statusCode, body } = await erasePerson(requestOf('mistyped', naturalPersonId));
    const onboardingIds = [onboardingIdOf(externalId)];
    expect([statusCode, others(body)]).toEqual([409, { type: ofOthers, onboardingIds, naturalPersonIds: [] }]);
  });

  it('is refused where a stored event gives the verification to another person', async () => {
    const { externalId, identificationVerificationId, naturalPersonId } = await onboarded();
    const { statusCode, body } = await erasePerson(requestOf('mistyped', { identificationVerificationId }));
    expect([statusCode, others(body)]).toEqual([
      409,
      { type: ofOthers, onboardingIds: [onboardingIdOf(externalId)], naturalPersonIds: [naturalPersonId] },
    ]);
  });

  it.each([
    ['has an onboarding that knows its person', true],
    ['is known by an event', false],
  ])('is refused where the externalId is of another person and %s', async (_, isOnboarded) => {
    const [first] = [await onboarded()];
    serial += 1;
    const typo = isOnboarded ? first.externalId : `typo-${serial}`;
    if (!isOnboarded)
      await deliver('NATURAL_PERSON_NOTIFICATION', {
        naturalPersonId: first.naturalPersonId,
        externalId: typo,
        status: 'ACTIVE',
      });
    const naturalPersonId = `webhooks-only-${serial}`;
    await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, status: 'ACTIVE' });
    const before = await everything();
    const { statusCode, body } = await erasePerson(requestOf(typo, naturalPersonId));
    expect([statusCode, others(body)]).toMatchObject([
      409,
      { type: ofOthers, naturalPersonIds: [first.naturalPersonId] },
    ]);
    expect(await everything()).toBe(before);
  });

  it('is refused where a verification is named, and the externalId is of a person of whom no event states it', async () => {
    const { externalId, naturalPersonId } = await onboarded();
    const identificationVerificationId = `unstated-${serial}`;
    await deliver('IDENTIFICATION_VERIFICATION_NOTIFICATION', { identificationVerificationId, status: 'PENDING' });
    const { statusCode, body } = await erasePerson(requestOf(externalId, { identificationVerificationId }));
    expect([statusCode, others(body)]).toMatchObject([409, { naturalPersonIds: [naturalPersonId] }]);
    const both = { naturalPersonId, identificationVerificationId };
    expect(await erasePerson(requestOf(externalId, both))).toEqual({ statusCode: 204 });
  });

  it('is refused with each other onboarding of the person', async () => {
    const { externalId, naturalPersonId } = await onboarded();
    const further = ['a', 'b', 'c'].map((name) => `${externalId}${name}`);
    for (const one of further) await onboardingStore.create(published(one, { step: 'COMPLETED', naturalPersonId }));
    const { statusCode, body } = await erasePerson(requestOf(externalId));
    expect([statusCode, new Set(others(body).onboardingIds)]).toEqual([409, new Set(further.map(onboardingIdOf))]);
  });

  it('takes an id in capitals for the same id: no entity of the person stays', async () => {
    serial += 1;
    const [lower, capitals] = [uuidOf(40_000 + serial), uuidOf(40_000 + serial).toUpperCase()];
    const eventIds = [
      await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: lower, status: 'ACTIVE' }),
      await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: capitals, status: 'SUSPENDED' }),
    ];
    expect(await erasePerson(requestOf('in-capitals', capitals))).toEqual({ statusCode: 204 });
    for (const id of [lower, capitals]) expect(await entityStore.isErased({ kind: 'natural-person', id })).toBe(true);
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
  });

  it('erases all of them once the request names them, and once more without an error', async () => {
    const { externalId, naturalPersonId, eventIds } = await onboarded();
    const own = `${externalId} of another system`;
    const request = requestOf(own, { naturalPersonId, onboardingId: onboardingIdOf(externalId) });
    for (let times = 0; times < 2; times += 1) expect(await erasePerson(request)).toEqual({ statusCode: 204 });
    expect(await erasePerson(requestOf(own, naturalPersonId))).toEqual({ statusCode: 204 });
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
    for (const id of [externalId, own])
      expect(isErased((await onboardingStore.load(onboardingIdOf(id))) ?? ({} as never))).toBe(true);
  });

  it('is refused with the open onboarding of one of them, although the request names it', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'AWAITING_VIDEO_CALL' });
    const request = requestOf('another', { naturalPersonId, onboardingId: onboardingIdOf(externalId) });
    expect(await erasePerson(request)).toMatchObject({
      statusCode: 409,
      body: expect.stringContaining('onboarding-open'),
    });
  });
});

describe('erasing an onboarding whose externalId is that of another person', () => {
  const reasons = [{ code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: ['lastName'] }];

  async function ofAnother(outbox: OnboardingRow['outbox'] = []) {
    serial += 1;
    const [externalId, naturalPersonId] = [`taken-${serial}`, `other-${serial}`];
    await onboardingStore.create({ ...sampleOnboarding(externalId, { step: 'FAILED', reasons }), outbox });
    const deliverOther = () =>
      deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, externalId, status: 'ACTIVE' });
    return { externalId, onboardingId: onboardingIdOf(externalId), naturalPersonId, deliverOther };
  }

  it('answers 409 with the other person, and erases both once the request names the person', async () => {
    const { outbox } = sampleOnboarding('with an event that the first call waits for');
    const { externalId, onboardingId, naturalPersonId, deliverOther } = await ofAnother(outbox);
    const eventId = await deliverOther();
    const before = await everything();
    const { statusCode, body = '' } = await erasePerson(requestOf(externalId));
    expect([statusCode, JSON.parse(body)]).toMatchObject([
      409,
      { type: 'urn:drawbridge:problem:ids-of-others', onboardingIds: [], naturalPersonIds: [naturalPersonId] },
    ]);
    expect(await everything()).toBe(before);
    expect(await erasePerson(requestOf(externalId, naturalPersonId))).toMatchObject({ statusCode: 202 });
    expect(await isGone(eventId)).toBe(true);
    const row = await onboardingStore.load(onboardingId);
    if (row === undefined || isErased(row)) throw new Error('It is erased.');
    await onboardingStore.save({ ...row, version: row.version + 1, outbox: [] });
    expect(await erasePerson(requestOf(externalId, naturalPersonId))).toEqual({ statusCode: 204 });
    expect(await isErasedName(externalId)).toBe(true);
  });

  it('erases the onboarding only if the request names its id, and logs that for a repetition', async () => {
    const { externalId, onboardingId, naturalPersonId, deliverOther } = await ofAnother();
    const eventId = await deliverOther();
    expect(await erasePerson(requestOf(externalId, { onboardingId }))).toEqual({ statusCode: 204 });
    expect(isErased((await onboardingStore.load(onboardingId)) ?? ({} as never))).toBe(true);
    expect(await isGone(eventId)).toBe(false);
    expect(await entityStore.isErased({ kind: 'natural-person', id: naturalPersonId })).toBe(false);
    expect(lines.objects()).toContainEqual(
      expect.objectContaining({ message: 'person erased', onboardingId, otherOnboardingIds: onboardingId }),
    );
    expect(await erasePerson(requestOf(externalId))).toMatchObject({ statusCode: 409 });
  });

  it.each([
    ['that is not there, as after a restore', undefined],
    ['that was restarted and canceled', { step: 'CANCELED', mustSeek: true, isExternalIdOfAnother: true, reasons: [] }],
    ['that failed in the same way again', { step: 'FAILED', mustSeek: true, hasUnknownCreate: true, reasons }],
  ] as const)('keeps the other person when it erases an onboarding %s', async (_, state) => {
    serial += 1;
    const [externalId, naturalPersonId] = [`taken-${serial}`, `other-${serial}`];
    const onboardingId = onboardingIdOf(externalId);
    if (state !== undefined)
      await onboardingStore.create(published(externalId, { ...state, reasons: [...state.reasons] }));
    const eventId = await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, externalId, status: 'ACTIVE' });
    if (state !== undefined) expect(await erasePerson(requestOf(externalId))).toMatchObject({ statusCode: 409 });
    expect(await erasePerson(requestOf(externalId, { onboardingId }))).toEqual({ statusCode: 204 });
    expect(await isGone(eventId)).toBe(false);
    expect(await entityStore.isErased({ kind: 'natural-person', id: naturalPersonId })).toBe(false);
  });

  it('keeps the other person who becomes known during the erasure or after it', async () => {
    const { externalId, onboardingId, naturalPersonId, deliverOther } = await ofAnother();
    const eventIds: string[] = [];
    // The first item that it writes is its mark.
    emulators.watch(async ({ when, operation }) => {
      if (when !== 'after' || operation !== 'PutItem') return;
      emulators.unwatch();
      expect(await isErasedName(externalId)).toBe(false);
      eventIds.push(await deliverOther());
    });
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(isErased((await onboardingStore.load(onboardingId)) ?? ({} as never))).toBe(true);
    expect(await isErasedName(externalId)).toBe(false);
    expect(await isGone(eventIds[0] ?? '')).toBe(false);
    expect(await entityStore.isErased({ kind: 'natural-person', id: naturalPersonId })).toBe(false);
  });

  /** Whether `store` erases a webhook that states this externalId. */
  const isErasedName = (externalId: string) =>
    createHasErased(emulators.dynamodb)({ entities: [], onboardingIds: [onboardingIdOf(externalId)] });
});

describe('an erasure while the bus does not have all events of the onboarding', () => {
  async function unpublished() {
    const { externalId } = await onboarded();
    const row = { ...sampleOnboarding(externalId, { step: 'CANCELED' }), version: 2 };
    await onboardingStore.save(row);
    expect(await erasePerson(requestOf(externalId))).toMatchObject({ statusCode: 202 });
    const marked = await onboardingStore.load(row.onboardingId);
    if (marked === undefined || isErased(marked)) throw new Error('It is erased.');
    expect(marked.outbox).toEqual(row.outbox);
    return { request: requestOf(externalId), marked };
  }

  it('answers 202 until the events are published', async () => {
    const { request, marked } = await unpublished();
    await onboardingStore.save({ ...marked, version: marked.version + 1, outbox: [] });
    expect(await erasePerson(request)).toEqual({ statusCode: 204 });
  });

  it('ends without the events after a day, and logs that', async () => {
    const { request, marked } = await unpublished();
    time = () => new Date(now().getTime() + 86_400_000);
    expect(await erasePerson(request)).toEqual({ statusCode: 204 });
    expect(lines.objects()).toContainEqual(
      expect.objectContaining({ message: 'onboarding events discarded', onboardingId: marked.onboardingId, size: 1 }),
    );
  });
});

describe('an erasure beside another process', () => {
  it('finds an event that store has indexed before, and stores during the erasure', async () => {
    serial += 1;
    const naturalPersonId = uuidOf(50_000 + serial);
    await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, status: 'ACTIVE' });
    let late = '';
    const stored = Promise.withResolvers<void>();
    const storing = Promise.withResolvers<void>();
    // Store waits between the index and the event, until the erasure has looked for events.
    emulators.watch(async ({ when, operation, input }) => {
      const isOfEvents = JSON.stringify(input()).includes(`"TableName":"${emulators.tableName}"`);
      if (when === 'before' && operation === 'UpdateItem' && isOfEvents) {
        emulators.unwatch();
        storing.resolve();
        await stored.promise;
      }
    });
    const store = keep('CUSTOMER_NOTIFICATION', JSON.stringify({ naturalPersonId, name: canary }));
    await storing.promise;
    let isBegun = false;
    emulators.watch(async ({ when, operation, input }) => {
      if (isBegun || when !== 'before' || operation !== 'Query') return;
      if (!JSON.stringify(input()).includes('"TableName":"entities"')) return;
      isBegun = true;
      stored.resolve();
      late = await store;
    });
    expect(await erasePerson(requestOf('beside', naturalPersonId))).toEqual({ statusCode: 204 });
    expect([isBegun, await isGone(late)]).toEqual([true, true]);
  });

  it('keeps what another request has found, also where this one ends first', async () => {
    serial += 1;
    const [externalId, naturalPersonId] = [`beside-${serial}`, uuidOf(50_000 + serial)];
    const eventId = await deliver('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, status: 'ACTIVE' });
    await onboardingStore.create(published(externalId, { step: 'CANCELED' }));
    const other = 'e'.repeat(64);
    let isOther = false;
    emulators.watch(async ({ when, operation }) => {
      if (isOther || when !== 'before' || operation !== 'PutItem') return;
      isOther = true;
      // It names the person, and a further onboarding, and ends after its first mark.
      const claim = createErasureMark({ store: onboardingStore, now, ...lines });
      const known = { keys: [{ kind: 'natural-person', id: naturalPersonId } as const], onboardingIds: [other] };
      await claim.mark(onboardingIdOf(externalId), known, () => undefined);
    });
    expect(await erasePerson(requestOf(externalId))).toMatchObject({ statusCode: 202 });
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
    expect(await isGone(eventId)).toBe(true);
    for (const id of [onboardingIdOf(externalId), other])
      expect(isErased((await onboardingStore.load(id)) ?? ({} as never))).toBe(true);
  });
});

describe('the index of persons after an erasure', () => {
  it('has nothing of a body that may be a name, and leads to no event of the person', async () => {
    serial += 1;
    const [naturalPersonId, another] = [uuidOf(60_000 + serial), uuidOf(70_000 + serial)];
    const body = { naturalPersonId, person: 'Mustermann', externalPersonId: 'erika.mustermann', of: another };
    await keep('CUSTOMER_NOTIFICATION', JSON.stringify(body));
    const rows = async () => (await emulators.dynamodb.send(new ScanCommand({ TableName: 'persons' }))).Items ?? [];
    expect(JSON.stringify(await rows())).not.toMatch(/mustermann/i);
    expect(await erasePerson(requestOf('unknown', naturalPersonId))).toEqual({ statusCode: 204 });
    expect(JSON.stringify(await rows())).not.toContain(another);
  });

  it('has no name of the person when an erased webhook is delivered again', async () => {
    serial += 1;
    const [naturalPersonId, another] = [uuidOf(90_000 + serial), uuidOf(95_000 + serial)];
    const body = JSON.stringify({ naturalPersonId, of: another });
    await keep('CUSTOMER_NOTIFICATION', body);
    expect(await erasePerson(requestOf('unknown', naturalPersonId))).toEqual({ statusCode: 204 });
    await keep('CUSTOMER_NOTIFICATION', body);
    const { Items } = await emulators.dynamodb.send(new ScanCommand({ TableName: 'persons' }));
    expect(JSON.stringify(Items)).not.toMatch(new RegExp(`${naturalPersonId}|${another}`));
  });

  it('judges an event by the profile of now, and not by that with which the event was stored', async () => {
    serial += 1;
    const naturalPersonId = uuidOf(80_000 + serial);
    const { personIndex } = createTestPersons(emulators, { eventStore, entityStore, now });
    const eventId = await keep('CUSTOMER_NOTIFICATION', JSON.stringify({ naturalPersonId, name: canary }));
    await personIndex.remove(eventId, { ids: [naturalPersonId], onboardingIds: [] }, []);
    const stored = { eventId, eventType: 'CUSTOMER_NOTIFICATION', of: 'business' } as const;
    await personIndex.add(stored, { ids: [naturalPersonId], onboardingIds: [] });
    expect(await erasePerson(requestOf('unknown', naturalPersonId))).toEqual({ statusCode: 204 });
    expect(await isGone(eventId)).toBe(true);
  });
});

describe('an erasure before the index of persons is filled', () => {
  it('answers 202, changes nothing, and names the same query parameters', async () => {
    const { externalId, naturalPersonId } = await onboarded();
    const persons = createTestPersons(emulators, { eventStore, entityStore, now });
    const fillPersonIndex = async () => false;
    const unfilled = buildErasure({ onboardingStore, persons, now, fillPersonIndex, ...lines });
    const before = await everything();
    const { statusCode, body } = await unfilled(requestOf(externalId, naturalPersonId));
    expect([statusCode, nextOf(body)]).toEqual([202, { naturalPersonId }]);
    expect(await everything()).toBe(before);
  });
});

describe('a person with more events than one call of the erasure has time for', () => {
  it('answers 202 until all are erased, and erases the onboarding last', async () => {
    const { externalId, naturalPersonId } = await onboarded();
    const eventIds: string[] = [];
    for (let number = 0; number < 30; number += 1)
      eventIds.push(await keep('NEW_NOTIFICATION', JSON.stringify({ person: naturalPersonId, number })));
    let at = now().getTime();
    time = () => new Date(at);
    emulators.watch(({ when }) => {
      if (when === 'before') at += 400;
    });
    let calls = 1;
    for (; (await erasePerson(requestOf(externalId))).statusCode === 202; calls += 1)
      expect((await onboardingStore.load(onboardingIdOf(externalId))) ?? {}).not.toHaveProperty('erasedOn');
    expect(calls).toBeGreaterThan(1);
    for (const eventId of eventIds) expect(await isGone(eventId)).toBe(true);
  });
});
