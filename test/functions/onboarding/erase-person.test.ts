import { setTimeout as wait } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createErasePerson } from '#functions/onboarding/erase-person.ts';
import { createEntityStore, type EntityStore } from '#shared/entity-store.ts';
import { identifyEvent } from '#shared/event.ts';
import { createEventStore, type EventStore } from '#shared/event-store.ts';
import { isErased, onboardingIdOf } from '#shared/onboarding-row.ts';
import type { OnboardingState } from '#shared/onboarding-state.ts';
import { createOnboardingStore, type OnboardingStore } from '#shared/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile.ts';
import { deflateBody, inflateBody } from '#shared/webhook-delivery.ts';
import { type Emulators, startEmulators } from '#test/shared/emulators.ts';
import { createEntitiesTable } from '#test/shared/entities-table.ts';
import { createOnboardingsTable } from '#test/shared/onboardings-table.ts';
import { sampleOnboarding } from '#test/shared/sample-onboarding.ts';
import { captureLines, type WrittenLines } from '#test/shared/written-lines.ts';

const canary = 'Erika Mustermann';
const profile = platformProfile.parse({});
const now = () => new Date('2026-01-02T03:04:05.678Z');
let emulators: Emulators;
let entityStore: EntityStore;
let eventStore: EventStore;
let onboardingStore: OnboardingStore;
let lines: WrittenLines;
let erasePerson: ReturnType<typeof createErasePerson>;
let serial = 0;

beforeAll(async () => {
  emulators = await startEmulators();
  await createEntitiesTable(emulators.dynamodb, 'entities');
  await createOnboardingsTable(emulators.dynamodb, 'onboardings');
});
afterAll(() => emulators.close());
beforeEach(() => {
  const { dynamodb, tableName } = emulators;
  entityStore = createEntityStore({ dynamodb, tableName: 'entities', now, random: Math.random, wait });
  eventStore = createEventStore({ dynamodb, tableName, retentionDays: 30, now });
  onboardingStore = createOnboardingStore({ dynamodb, tableName: 'onboardings', now });
  lines = captureLines(now);
  erasePerson = createErasePerson({ onboardingStore, entityStore, eventStore, ...lines });
});
afterEach(() => emulators.unwatch());

/** Stores an event and applies it, as store does. Gives its id. */
async function tell(eventType: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  const bytes = Buffer.from(JSON.stringify({ ...body, name: `${canary} ${serial}.` }));
  const { placed, ...event } = identifyEvent(eventType, bytes, profile);
  const receivedOn = now().toISOString();
  await eventStore.commit(event, { deliveryId: 'd', eventType, receivedOn, deflatedBody: deflateBody(bytes) });
  if (placed === undefined) throw new Error('It speaks of no entity.');
  await entityStore.apply({ ...placed, eventId: event.eventId, receivedOn });
  return event.eventId;
}

/** A person whose onboarding is at this step, of whom ten events spoke, and two of its verification. */
async function onboarded(state: Partial<OnboardingState> = { step: 'COMPLETED' }) {
  serial += 1;
  const externalId = `${canary} ${serial}.`;
  const [naturalPersonId, identificationVerificationId] = [`person-${serial}`, `verification-${serial}`];
  await onboardingStore.create(
    sampleOnboarding(externalId, { naturalPersonId, identificationVerificationId, ...state }),
  );
  const eventIds: string[] = [];
  for (let second = 10; second < 20; second += 1) {
    const modifiedOn = `2026-01-02T00:00:${second}Z`;
    const status = second % 2 === 0 ? 'ACTIVE' : 'SUSPENDED';
    eventIds.push(await tell('NATURAL_PERSON_NOTIFICATION', { naturalPersonId, status, modifiedOn }));
  }
  for (const status of ['PENDING', 'APPROVED'])
    eventIds.push(
      await tell('IDENTIFICATION_VERIFICATION_NOTIFICATION', { identificationVerificationId, naturalPersonId, status }),
    );
  return { externalId, naturalPersonId, identificationVerificationId, eventIds };
}

const requestOf = (externalId: string, naturalPersonId?: string) => ({
  pathParameters: { externalId },
  ...(naturalPersonId !== undefined && { queryStringParameters: { naturalPersonId } }),
});

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

describe('issue 6: erasing a person removes it from every table that holds it', () => {
  it('its entities, the bodies of its events, and its onboarding', async () => {
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

  it('a record that it was so stays, without personal data', async () => {
    const { externalId } = await onboarded();
    await erasePerson(requestOf(externalId));
    const row = await onboardingStore.load(onboardingIdOf(externalId));
    expect(row !== undefined && isErased(row)).toBe(true);
    expect(row).toMatchObject({ erasedOn: now().toISOString(), step: 'COMPLETED' });
  });

  it('again and again, with the same answer', async () => {
    const { externalId } = await onboarded();
    for (let times = 0; times < 3; times += 1)
      expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
  });

  it.each(['before', 'after'] as const)('whichever call it ends %s, once it is repeated', async (when) => {
    for (let nth = 1; ; nth += 1) {
      const { externalId } = await onboarded();
      let calls = 0;
      emulators.watch((moment) => {
        if (moment.when === when) calls += 1;
        if (moment.when === when && calls === nth) throw new Error('The function ends.');
      });
      const ended = await erasePerson(requestOf(externalId)).then(
        () => false,
        () => true,
      );
      emulators.unwatch();
      expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
      expect(await everything()).not.toContain(`${canary} ${serial}.`);
      if (!ended) {
        expect(nth).toBeGreaterThan(15);
        return;
      }
    }
  });

  it('one that was onboarded otherwise is named by the id of the platform as well', async () => {
    const eventId = await tell('NATURAL_PERSON_NOTIFICATION', { naturalPersonId: 'other', status: 'ACTIVE' });
    expect(await erasePerson(requestOf('unknown'))).toMatchObject({ statusCode: 404 });
    expect(await erasePerson(requestOf('unknown', 'other'))).toEqual({ statusCode: 204 });
    expect(await eventStore.read(eventId)).toMatchObject({ erasedOn: now().toISOString() });
  });

  it('not while its onboarding goes on: it would create what was erased', async () => {
    const { externalId, naturalPersonId } = await onboarded({ step: 'AWAITING_VIDEO_CALL' });
    const answer = await erasePerson(requestOf(externalId));
    expect(answer).toMatchObject({ statusCode: 409, body: expect.stringContaining('Cancel the onboarding first') });
    expect(await entityStore.read({ kind: 'natural-person', id: naturalPersonId })).toBeDefined();
  });

  it.each(['', 'a b', 'a/b', 'x'.repeat(200)])('400 for the id %j, which none can be', async (naturalPersonId) => {
    expect(await erasePerson(requestOf('unknown', naturalPersonId))).toMatchObject({ statusCode: 400 });
  });

  const unknown = { naturalPersonId: undefined, identificationVerificationId: undefined } as const;

  it.each([
    ['was canceled before the answer to its create came', { step: 'CANCELED', intentOn: now().toISOString() }],
    ['expired before it had found its person', { step: 'EXPIRED', intentOn: now().toISOString() }],
    ['began anew, and forgot the person that it had', { step: 'CANCELED', mustSeek: true }],
    ['began anew, and failed', { step: 'FAILED', mustSeek: true, intentOn: now().toISOString() }],
  ] as const)('not unless the person is named, where its onboarding %s', async (_, state) => {
    const { externalId, naturalPersonId } = await onboarded({ ...unknown, ...state });
    expect(await erasePerson(requestOf(externalId))).toMatchObject({
      statusCode: 409,
      body: expect.stringContaining('naturalPersonId'),
    });
    expect(isErased((await onboardingStore.load(onboardingIdOf(externalId))) ?? ({} as never))).toBe(false);
    expect(await erasePerson(requestOf(externalId, naturalPersonId))).toEqual({ statusCode: 204 });
    expect(await entityStore.read({ kind: 'natural-person', id: naturalPersonId })).toBeUndefined();
  });

  it.each([
    ['was canceled before anything was sent', { step: 'CANCELED' }],
    ['was refused by the platform', { step: 'FAILED', intentOn: now().toISOString() }],
  ] as const)('at once, where there can be no person since its onboarding %s', async (_, state) => {
    const { externalId } = await onboarded({ ...unknown, ...state });
    expect(await erasePerson(requestOf(externalId))).toEqual({ statusCode: 204 });
  });

  it('orders and transfers are kept', async () => {
    const { externalId, naturalPersonId } = await onboarded();
    await tell('TRANSFER_NOTIFICATION', { transferId: `t-${serial}`, naturalPersonId, status: 'PROCESSED' });
    await erasePerson(requestOf(externalId));
    expect(await entityStore.read({ kind: 'transfer', id: `t-${serial}` })).toMatchObject({ status: 'PROCESSED' });
  });
});
