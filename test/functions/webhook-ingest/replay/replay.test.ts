import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type CountAnswer,
  createReplay,
  type ReplayAnswer,
  type ReplayDeps,
} from '#functions/webhook-ingest/replay/replay.ts';
import { createBatchQueue } from '#shared/aws/queue.ts';
import { readWebhookMessage } from '#shared/events/webhook-delivery.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import {
  bodyCanary,
  moments,
  now,
  putEvents,
  replaceEvents,
  type StoredEvent,
  storedEvent,
} from '#test/shared/events/stored-events.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';

let emulators: Emulators;
const lines = captureLines();
const [latest = '', dayBefore = ''] = moments;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
afterEach(async () => {
  emulators.unwatch();
  await emulators.receiveAll();
});

const stored = (...events: readonly StoredEvent[]) => replaceEvents(emulators, events);

type Change = Partial<ReplayDeps> & { readonly stop?: AbortSignal };

async function invoke(
  event: unknown,
  { stop = new AbortController().signal, ...change }: Change = {},
): Promise<CountAnswer & ReplayAnswer> {
  const { dynamodb, tableName, sqs, queueUrl } = emulators;
  const queue = createBatchQueue({ sqs, queueUrl });
  const replay = createReplay({ dynamodb, tableName, queue, now: () => now, log: lines.log, ...change });
  // What Lambda makes of it.
  return JSON.parse(JSON.stringify(await replay(event, stop)));
}

/** The ids that `store` is handed. */
async function handedOver(): Promise<readonly string[]> {
  return (await emulators.receiveAll()).map((text) => readWebhookMessage(text).eventId ?? 'a delivery').toSorted();
}

const idsOf = (some: readonly StoredEvent[]) => some.map(({ eventId }) => eventId).toSorted();

describe('counting before a replay', () => {
  it('says how many, why, of which types and when, and sends nothing', async () => {
    await stored(
      storedEvent({ receivedOn: dayBefore }),
      storedEvent(),
      storedEvent({ eventType: '__proto__', quarantineReason: 'NOT_JSON' }),
      storedEvent({ quarantineReason: undefined }),
    );
    const answer = await invoke({});
    expect(answer).toMatchObject({ count: 3, byReason: { UNKNOWN_EVENT_TYPE: 2, NOT_JSON: 1 } });
    expect(Object.entries(answer.byEventType)).toEqual([
      ['NEW_NOTIFICATION', 2],
      ['__proto__', 1],
    ]);
    expect([answer.oldest, answer.newest]).toEqual([dayBefore, latest]);
    expect(await handedOver()).toEqual([]);
  });

  it('answers the very request that replays what was counted, and not what comes later', async () => {
    const [one, other] = [storedEvent({ receivedOn: dayBefore }), storedEvent({ receivedOn: dayBefore })];
    await stored(one, other);
    const { replay } = await invoke({ reason: 'UNKNOWN_EVENT_TYPE' });
    expect(replay).toEqual({
      mode: 'replay',
      events: 'quarantined',
      reason: 'UNKNOWN_EVENT_TYPE',
      receivedTo: dayBefore,
      expected: 2,
    });
    await putEvents(emulators, [storedEvent({ receivedOn: latest })]);
    expect(await invoke(replay)).toEqual({ replayed: 2 });
    expect(await handedOver()).toEqual(idsOf([one, other]));
  });

  it('answers none where there is nothing to replay', async () => {
    await stored();
    expect(await invoke({})).toEqual({ count: 0, byReason: {}, byEventType: {} });
  });

  it('refuses a replay, with both numbers and nothing sent, when there are more events by now', async () => {
    await stored(storedEvent());
    const { replay } = await invoke({});
    await putEvents(emulators, [storedEvent(), storedEvent()]);
    await expect(invoke(replay)).rejects.toThrow(expect.objectContaining({ code: 'ReplayCountError' }));
    await expect(invoke(replay)).rejects.toThrow(/^The count has changed from 1 to 3, so nothing was replayed\./);
    expect(await handedOver()).toEqual([]);
  });

  it('replays what is left when there are fewer events by now', async () => {
    const [one, other] = [storedEvent(), storedEvent()];
    await stored(one, other);
    const { replay } = await invoke({});
    await stored(one);
    expect(await invoke(replay)).toEqual({ replayed: 1 });
    expect(await handedOver()).toEqual([one.eventId]);
  });
});

describe('replaying by id, by type, by time and by reason', () => {
  const old = storedEvent({ eventType: 'TRANSFER_NOTIFICATION', quarantineReason: 'NOT_JSON', receivedOn: dayBefore });
  const young = storedEvent();
  const effective = storedEvent({ quarantineReason: undefined });

  it.each<[string, object, readonly StoredEvent[]]>([
    ['a type', { eventType: 'TRANSFER_NOTIFICATION' }, [old]],
    ['a reason', { reason: 'NOT_JSON' }, [old]],
    ['an end', { receivedTo: dayBefore }, [old]],
    ['a beginning', { receivedFrom: latest }, [young]],
    ['all events of a type', { events: 'all', eventType: 'NEW_NOTIFICATION', receivedTo: latest }, [young, effective]],
  ])('counts and replays the events that are selected by %s', async (_, selection, selected) => {
    await stored(old, young, effective);
    const { count, replay } = await invoke(selection);
    expect(count).toBe(selected.length);
    expect(await invoke(replay)).toEqual({ replayed: selected.length });
    expect(await handedOver()).toEqual(idsOf(selected));
  });

  it('replays by id what is in quarantine, and says which ids are left out', async () => {
    const [one, effective] = [storedEvent(), storedEvent({ quarantineReason: undefined })];
    await stored(one, effective);
    const eventIds = [one.eventId, effective.eventId, 'f'.repeat(64)];
    const leftOut = [effective.eventId, 'f'.repeat(64)];
    expect(await invoke({ eventIds })).toMatchObject({ count: 1, leftOut, replay: { eventIds, expected: 1 } });
    expect(await invoke({ mode: 'replay', eventIds })).toEqual({ replayed: 1 });
    expect(await handedOver()).toEqual([one.eventId]);
  });

  it('replays by id among all events what has had its effect', async () => {
    const effective = storedEvent({ quarantineReason: undefined });
    await stored(effective);
    expect(await invoke({ mode: 'replay', events: 'all', eventIds: [effective.eventId] })).toEqual({ replayed: 1 });
    expect(await handedOver()).toEqual([effective.eventId]);
  });

  it('replays a thousand ids together', async () => {
    const one = storedEvent();
    await stored(one);
    const others = Array.from({ length: 999 }, (_, index) => index.toString(16).padStart(64, '0'));
    expect(await invoke({ mode: 'replay', eventIds: [...others, one.eventId] })).toEqual({ replayed: 1 });
  });
});

describe('replaying any number of events in several runs', () => {
  /** Tells it to stop after so many calls of DynamoDB. */
  function stopAfter(calls: number): Change {
    const controller = new AbortController();
    const { dynamodb } = emulators;
    let left = calls;
    const send = async (command: never) => {
      left -= 1;
      if (left <= 0) controller.abort();
      return dynamodb.send(command);
    };
    return { dynamodb: { send } as never, stop: controller.signal, pageSize: 1 };
  }

  /** Invokes it again and again, as it says, each time with the time for a few pages; gives what it says at the end. */
  async function untilDone(event: unknown, calls: () => number) {
    let answer = await invoke(event, stopAfter(calls()));
    let runs = 1;
    for (; answer.continueFrom !== undefined; runs += 1) {
      if (runs > 500) throw new Error('It does not come to an end.');
      answer = await invoke({ continueFrom: answer.continueFrom }, stopAfter(calls()));
    }
    return { answer, runs };
  }

  it.each(['quarantined', 'all'])('replays each of %s events once, with the numbers of one run', async (which) => {
    const some = Array.from({ length: 12 }, (_, index) => storedEvent({ receivedOn: moments[index % 3] ?? '' }));
    await stored(...some);
    const request = { events: which, receivedTo: latest };
    const { continueFrom: _, ...whole } = await invoke(request);
    const counted = await untilDone(request, () => 5);
    expect(counted.runs).toBeGreaterThan(2);
    expect(counted.answer).toEqual(whole);
    const replayed = await untilDone(counted.answer.replay, () => 5);
    expect(replayed.runs).toBeGreaterThan(4);
    expect(replayed.answer).toEqual({ replayed: 12 });
    expect(await handedOver()).toEqual(idsOf(some));
  });

  it('holds for a stop at any moment', async () => {
    const some = Array.from({ length: 6 }, () => storedEvent());
    const steps = fc.infiniteStream(fc.integer({ min: 1, max: 40 }));
    await fc.assert(
      fc.asyncProperty(steps, async (calls) => {
        await stored(...some);
        const { replay } = await invoke({});
        const next = () => calls.next().value ?? 1;
        expect((await untilDone(replay, next)).answer).toEqual({ replayed: 6 });
        expect(await handedOver()).toEqual(idsOf(some));
      }),
      { numRuns: 10 },
    );
  });

  it('sends nothing before all are counted', async () => {
    await stored(storedEvent(), storedEvent());
    const answer = await invoke({ mode: 'replay', receivedTo: latest, expected: 1 }, stopAfter(3));
    expect(answer).toEqual({ replayed: 0, continueFrom: expect.any(String) });
    await expect(invoke({ continueFrom: answer.continueFrom })).rejects.toThrow(
      expect.objectContaining({ code: 'ReplayCountError' }),
    );
    expect(await handedOver()).toEqual([]);
  });

  it('refuses a continuation that it has not answered', async () => {
    await stored(storedEvent());
    const { continueFrom = '' } = await invoke({}, stopAfter(1));
    const change = (text: object) => Buffer.from(JSON.stringify(text)).toString('base64url');
    const run = JSON.parse(Buffer.from(continueFrom, 'base64url').toString());
    const fewerLanes = { ...run, progress: { ...run.progress, lanes: ['begin'] } };
    for (const other of ['', continueFrom.slice(0, -9), change({}), change({ ...run, request: { mode: 'x' } })])
      await expect(invoke({ continueFrom: other })).rejects.toThrow(
        expect.objectContaining({ code: 'ReplayRequestError' }),
      );
    await expect(invoke({ continueFrom: change(fewerLanes) })).rejects.toThrow(/another release/);
    await expect(invoke({ continueFrom, mode: 'replay' })).rejects.toThrow(
      expect.objectContaining({ code: 'ReplayRequestError' }),
    );
  });
});

describe('promise 2: a crash loses nothing, since replaying twice is harmless', () => {
  it('replays all events when a run is repeated after a failure of SQS', async () => {
    const some = Array.from({ length: 15 }, () => storedEvent());
    await stored(...some);
    const { replay } = await invoke({});
    let calls = 0;
    emulators.watch(({ when, operation }) => {
      if (when === 'before' && operation === 'SendMessageBatch' && ++calls > 4) throw new Error('SQS is down');
    });
    await expect(invoke(replay)).rejects.toThrow(expect.objectContaining({ code: 'QueueError' }));
    emulators.unwatch();
    expect(await invoke(replay)).toEqual({ replayed: 15 });
    expect([...new Set(await handedOver())]).toEqual(idsOf(some));
  });
});

describe('promise 8: answers and log lines hold nothing of a body', () => {
  it('answers and logs numbers, ids, types and reasons only', async () => {
    await stored(storedEvent());
    const counted = await invoke({});
    const replayed = await invoke(counted.replay);
    expect(lines.objects()).toContainEqual(expect.objectContaining({ message: 'events replayed', size: 1 }));
    expect(JSON.stringify([counted, replayed]) + lines.text()).not.toContain(bodyCanary);
  });
});
