import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nextVersion } from '#shared/aws/dynamodb.ts';
import {
  type ReadBackAnswer,
  readBackEvent,
  readBackEventType,
  writeReadBackMessage,
} from '#shared/events/read-back.ts';
import { inflateBody, writeDeliveryMessage, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createStoreWorld, deliveryOf, type StoreWorld } from './store-world.ts';

const persons = 'NATURAL_PERSON_NOTIFICATION';
const readOn = '2026-01-05T00:00:00.000Z';
const time = '2026-01-06T00:00:00.000Z';
const sequence = nextVersion(undefined, new Date(time));
let emulators: Emulators;
let world: StoreWorld;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
beforeEach(() => {
  world = createStoreWorld(emulators, time);
});
afterEach(() => emulators.unwatch());

function answerOf(id: string, more: Partial<ReadBackAnswer> = {}): ReadBackAnswer {
  return { kind: 'natural-person', id, status: 'ACTIVE', modifiedOn: '2026-01-02T03:04:05.6Z', readOn, ...more };
}

const storeAnswer = (answer: ReadBackAnswer) => world.store(writeReadBackMessage(answer));

/** A webhook that leaves the status open: it has no time. */
async function receive(id: string, receivedOn: string): Promise<void> {
  const body = JSON.stringify({ naturalPersonId: id, status: 'CREATED', receivedOn });
  await world.store(writeDeliveryMessage({ ...deliveryOf(persons, body, receivedOn), receivedOn }));
}

const read = (id: string) => world.entityStore.read({ kind: 'natural-person', id });
const detailTypes = () => world.published.map(({ detailType }) => detailType);

describe('an answer that was read back', () => {
  it('is stored once as an event of our own type, has its effect and is published', async () => {
    const answer = answerOf('stored');
    for (let times = 0; times < 2; times += 1) await storeAnswer(answer);
    const row = await world.eventStore.read(readBackEvent(answer).event.eventId);
    expect(row).toMatchObject({ eventType: readBackEventType, deliveries: 1, quarantineReason: undefined });
    expect(JSON.parse(Buffer.from(inflateBody(row?.deflatedBody ?? Buffer.of())).toString())).toEqual(answer);
    expect(await read('stored')).toMatchObject({ status: 'ACTIVE', modifiedOn: answer.modifiedOn, toReadBack: false });
    expect(await world.entityStore.timeline(answer)).toMatchObject([{ effect: 'applied', readOn }]);
    const [change, again, ...more] = world.published;
    expect(change).toMatchObject({ detailType: 'NaturalPersonStatusChanged', detail: { sequence } });
    expect([again, more]).toEqual([change, []]);
  });

  it('settles the reports that it says that it answers, and no other', async () => {
    const openReportOn = '2026-01-04T00:00:00.000Z';
    await receive('settled', openReportOn);
    expect(await read('settled')).toMatchObject({ status: undefined, toReadBack: true, openReportOn });
    await storeAnswer(answerOf('settled', { answers: openReportOn }));
    expect(await read('settled')).toMatchObject({ status: 'ACTIVE', toReadBack: false });

    await receive('later', openReportOn);
    await receive('later', '2026-01-04T00:00:00.001Z');
    await storeAnswer(answerOf('later', { answers: openReportOn }));
    expect(await read('later')).toMatchObject({ status: 'ACTIVE', toReadBack: true });

    await receive('open', openReportOn);
    await storeAnswer(answerOf('open'));
    expect(await read('open')).toMatchObject({ status: 'ACTIVE', toReadBack: true });
  });

  it('has the same effect when it is replayed by its id', async () => {
    const answer = answerOf('replayed', { differed: ['entity'] });
    const { event, delivery } = readBackEvent(answer);
    await world.eventStore.commit(event, delivery);
    await world.store(writeEventMessage(event.eventId));
    expect(await read('replayed')).toMatchObject({ status: 'ACTIVE' });
    expect(detailTypes()).toEqual(['NaturalPersonStatusChanged', 'DriftRepaired']);
    expect(await world.entityStore.timeline(answer)).toMatchObject([{ readOn }]);
  });

  it('has no effect when a webhook to the URL of that name brings it, delivered or replayed', async () => {
    const { deflatedBody } = readBackEvent(answerOf('forged')).delivery;
    const store = world.storeWith(platformProfile.parse({ eventTypes: [readBackEventType] }));
    await store(writeDeliveryMessage({ ...deliveryOf(readBackEventType, ''), deflatedBody }));
    const { eventId = '' } = world.published[0]?.detail ?? {};
    await store(writeEventMessage(String(eventId)));
    expect(detailTypes()).toEqual(['EventReceived', 'EventReceived']);
    expect(await read('forged')).toBeUndefined();
  });
});

describe('drift that is repaired is published with the difference', () => {
  it('publishes it after the change itself, with the same sequence, also after a crash before the publication', async () => {
    await storeAnswer(answerOf('drifted', { status: 'CREATED', modifiedOn: '2026-01-01T00:00:00Z' }));
    const answer = answerOf('drifted', { differed: ['status', 'modifiedOn'] });
    emulators.watch(({ when, operation }) => {
      if (when === 'after' && operation === 'PutItem') throw new Error('The function ends.');
    });
    await expect(storeAnswer(answer)).rejects.toThrow();
    emulators.unwatch();
    world.published.length = 0;
    await storeAnswer(answer);
    expect(world.published).toEqual([
      expect.objectContaining({ detailType: 'NaturalPersonStatusChanged' }),
      {
        detailType: 'DriftRepaired',
        detail: {
          kind: 'natural-person',
          id: 'drifted',
          sequence: sequence + 1,
          differed: ['status', 'modifiedOn'],
          status: 'ACTIVE',
          statusBefore: 'CREATED',
          modifiedOn: answer.modifiedOn,
          eventId: readBackEvent(answer).event.eventId,
        },
      },
    ]);
    expect(world.lines.flushed()).toMatchObject({ DriftRepaired: 1, EntityChanges: 2 });
  });

  it.each([
    ['is older than what is known', { status: 'CREATED', modifiedOn: '2026-01-01T00:00:00Z' }],
    ['says what a webhook has said before', { readOn: '2026-01-05T00:00:00.001Z' }],
  ])('publishes nothing for an answer that %s', async (title, more) => {
    const id = title.replaceAll(' ', '-');
    await storeAnswer(answerOf(id));
    world.published.length = 0;
    await storeAnswer(answerOf(id, { ...more, differed: ['status'] }));
    expect(await read(id)).toMatchObject({ status: 'ACTIVE' });
    expect(world.published).toEqual([]);
  });
});
