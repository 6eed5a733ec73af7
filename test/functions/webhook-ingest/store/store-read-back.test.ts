import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApplyEvent } from '#functions/webhook-ingest/store/apply-event.ts';
import { createStore } from '#functions/webhook-ingest/store/store-record.ts';
import type { BusEntry } from '#shared/bus/bus.ts';
import type { EntityStore } from '#shared/entities/entity-store.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import {
  type ReadBackAnswer,
  readBackEvent,
  readBackEventType,
  writeReadBackMessage,
} from '#shared/events/read-back.ts';
import { deflateBody, inflateBody, writeDeliveryMessage, writeEventMessage } from '#shared/events/webhook-delivery.ts';
import { createCommitEvent } from '#shared/persons/commit-event.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { createTestPersons, createTestStores } from '#test/shared/events/test-stores.ts';
import { captureLines, type WrittenLines } from '#test/shared/lambda/written-lines.ts';

const persons = 'NATURAL_PERSON_NOTIFICATION';
const readOn = '2026-01-05T00:00:00.000Z';
const now = () => new Date('2026-01-06T00:00:00.000Z');
let emulators: Emulators;
let eventStore: EventStore;
let entityStore: EntityStore;
let published: BusEntry[];
let lines: WrittenLines;
let store: (message: string) => Promise<void>;

beforeAll(async () => {
  emulators = await startEmulators();
  await emulators.createTable('entities', 'entities');
});
afterAll(() => emulators.close());
beforeEach(() => {
  ({ eventStore, entityStore } = createTestStores(emulators, now));
  published = [];
  lines = captureLines(now);
  const publish = async (changes: readonly BusEntry[]) => {
    published.push(...changes);
  };
  const { personIndex, erasePersonEvents } = createTestPersons(emulators, { eventStore, entityStore, now });
  store = createStore({
    commitEvent: createCommitEvent({ eventStore, personIndex, ...lines }),
    eventStore,
    applyEvent: createApplyEvent({
      entityStore,
      eventStore,
      erasePersonEvents,
      personIndex,
      bus: { publish },
      hasErased: async () => false,
      wakeOnboarding: async () => undefined,
      ...lines,
    }),
    profile: platformProfile.parse({ eventTypes: [persons, readBackEventType] }),
    ...lines,
  });
});
afterEach(() => emulators.unwatch());

function answerOf(id: string, more: Partial<ReadBackAnswer> = {}): ReadBackAnswer {
  return { kind: 'natural-person', id, status: 'ACTIVE', modifiedOn: '2026-01-02T03:04:05.6Z', readOn, ...more };
}

/** A webhook that leaves the status open: it has no time. */
async function hear(id: string, receivedOn: string): Promise<void> {
  const deflatedBody = deflateBody(Buffer.from(JSON.stringify({ naturalPersonId: id, status: 'CREATED', receivedOn })));
  await store(writeDeliveryMessage({ deliveryId: receivedOn, eventType: persons, receivedOn, deflatedBody }));
}

const read = (id: string) => entityStore.read({ kind: 'natural-person', id });
const kinds = () => published.map(({ detailType }) => detailType);

describe('an answer that was read back is stored, has its effect and is published', () => {
  it('as an event of a type of our own, which shows what was answered', async () => {
    const answer = answerOf('stored');
    await store(writeReadBackMessage(answer));
    const row = await eventStore.read(readBackEvent(answer).event.eventId);
    expect(row).toMatchObject({ eventType: readBackEventType, deliveries: 1, quarantineReason: undefined });
    expect(JSON.parse(Buffer.from(inflateBody(row?.deflatedBody ?? Buffer.of())).toString())).toEqual(answer);
    expect(await read('stored')).toMatchObject({ status: 'ACTIVE', modifiedOn: answer.modifiedOn, toReadBack: false });
    expect(kinds()).toEqual(['NaturalPersonStatusChanged']);
    expect(await entityStore.timeline(answer)).toMatchObject([{ effect: 'applied', readOn }]);
  });

  it('once, however often its message is handed out', async () => {
    const answer = answerOf('once');
    for (let times = 0; times < 3; times += 1) await store(writeReadBackMessage(answer));
    expect(await eventStore.read(readBackEvent(answer).event.eventId)).toMatchObject({ deliveries: 1 });
    expect(await entityStore.timeline(answer)).toHaveLength(1);
    expect(new Set(published.map(({ detail }) => detail['sequence']))).toEqual(new Set([1]));
  });

  it('settles what was reported before the read, and nothing that came after', async () => {
    const heardOn = '2026-01-04T00:00:00.000Z';
    await hear('settled', heardOn);
    expect(await read('settled')).toMatchObject({ status: undefined, toReadBack: true, heardOn });
    await store(writeReadBackMessage(answerOf('settled', { answers: heardOn })));
    expect(await read('settled')).toMatchObject({ status: 'ACTIVE', toReadBack: false });

    await hear('later', heardOn);
    await hear('later', '2026-01-04T00:00:00.001Z');
    await store(writeReadBackMessage(answerOf('later', { answers: heardOn })));
    expect(await read('later')).toMatchObject({ status: 'ACTIVE', toReadBack: true });
  });

  it('settles nothing where it does not say what it answers', async () => {
    await hear('open', '2026-01-04T00:00:00.000Z');
    await store(writeReadBackMessage(answerOf('open')));
    expect(await read('open')).toMatchObject({ status: 'ACTIVE', toReadBack: true });
  });

  it('older than what is known, changes nothing, and is published as nothing', async () => {
    await store(writeReadBackMessage(answerOf('older')));
    published = [];
    await store(
      writeReadBackMessage(
        answerOf('older', { status: 'CREATED', modifiedOn: '2026-01-01T00:00:00Z', differed: ['status'] }),
      ),
    );
    expect(await read('older')).toMatchObject({ status: 'ACTIVE' });
    expect(published).toEqual([]);
  });
});

describe('drift that is repaired is published with the difference', () => {
  it('after the change itself, with the same sequence', async () => {
    await store(writeReadBackMessage(answerOf('drifted', { status: 'CREATED', modifiedOn: '2026-01-01T00:00:00Z' })));
    published = [];
    const answer = answerOf('drifted', { differed: ['status', 'modifiedOn'] });
    await store(writeReadBackMessage(answer));
    const { eventId } = readBackEvent(answer).event;
    const { modifiedOn } = answer;
    expect(published).toEqual([
      expect.objectContaining({ detailType: 'NaturalPersonStatusChanged' }),
      {
        detailType: 'DriftRepaired',
        detail: {
          kind: 'natural-person',
          id: 'drifted',
          sequence: 2,
          differed: ['status', 'modifiedOn'],
          status: 'ACTIVE',
          statusBefore: 'CREATED',
          modifiedOn,
          eventId,
        },
      },
    ]);
    lines.metrics.flush();
    expect(lines.objects().at(-1)).toMatchObject({ DriftRepaired: 1, EntityChanges: 2 });
  });

  it('not where a webhook was faster', async () => {
    await store(writeReadBackMessage(answerOf('faster')));
    published = [];
    await store(writeReadBackMessage(answerOf('faster', { differed: ['status'], readOn: '2026-01-05T00:00:00.001Z' })));
    expect(published).toEqual([]);
  });
});

describe('an answer is replayed by its id like any other event', () => {
  it('and has the same effect', async () => {
    const answer = answerOf('replayed', { differed: ['entity'] });
    const { event, delivery } = readBackEvent(answer);
    await eventStore.commit(event, delivery);
    await store(writeEventMessage(event.eventId));
    expect(await read('replayed')).toMatchObject({ status: 'ACTIVE' });
    expect(kinds()).toEqual(['NaturalPersonStatusChanged', 'DriftRepaired']);
    expect(await entityStore.timeline(answer)).toMatchObject([{ readOn }]);
  });

  it('whereas a webhook to the URL of that name has none, delivered or replayed', async () => {
    const { deflatedBody } = readBackEvent(answerOf('forged')).delivery;
    const delivery = { deliveryId: 'd', eventType: readBackEventType, receivedOn: readOn, deflatedBody };
    await store(writeDeliveryMessage(delivery));
    expect(kinds()).toEqual(['EventReceived']);
    const { eventId = '' } = published[0]?.detail ?? {};
    await store(writeEventMessage(String(eventId)));
    expect(kinds()).toEqual(['EventReceived', 'EventReceived']);
    expect(await read('forged')).toBeUndefined();
  });
});

describe('promise 2: a read back crashes anywhere, and has its effect once', () => {
  it.each((['before', 'after'] as const).flatMap((when) => [1, 2, 3].map((call) => ({ when, call }))))(
    'has its effect once after a crash $when call $call',
    async ({ when, call }) => {
      const answer = answerOf(`crash-${when}-${call}`, { differed: ['entity'] });
      let calls = 0;
      emulators.watch((moment) => {
        if (moment.when === 'before') calls += 1;
        if (moment.when === when && calls === call) throw new Error('The process ends here.');
      });
      await expect(store(writeReadBackMessage(answer))).rejects.toThrow();
      emulators.unwatch();
      await store(writeReadBackMessage(answer));
      expect(await read(answer.id)).toMatchObject({ status: 'ACTIVE', version: 1 });
      expect(await eventStore.read(readBackEvent(answer).event.eventId)).toMatchObject({ deliveries: 1 });
      expect(kinds()).toEqual(['NaturalPersonStatusChanged', 'DriftRepaired']);
    },
  );
});
