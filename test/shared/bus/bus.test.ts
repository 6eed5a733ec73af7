import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bus, createBus } from '#shared/bus/bus.ts';
import { busEventOf } from '#shared/bus/bus-event.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

let emulators: Emulators;
let bus: Bus;
beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
  bus = createBus(emulators);
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const received = (serial: number) =>
  busEventOf('EventReceived', {
    eventId: String(serial).padStart(64, '0'),
    eventType: 'CUSTOMER_NOTIFICATION',
    receivedOn: '2026-01-02T03:04:05Z',
  });

describe('publishing an event', () => {
  it('uses its detail-type, and the source drawbridge', async () => {
    const puts: unknown[] = [];
    emulators.watch(({ when, operation, input }) => {
      if (when === 'after' && operation === 'PutEvents') puts.push(input());
    });
    await bus.publish([received(1), received(2)]);
    const entry = { EventBusName: emulators.busName, Source: 'drawbridge', DetailType: 'EventReceived' };
    expect(puts).toEqual([
      {
        Entries: [received(1), received(2)].map(({ detail }) => ({ ...entry, Detail: JSON.stringify(detail) })),
      },
    ]);
  });

  it.each(['before', 'after'] as const)('fails where the connection breaks %s the call', async (broken) => {
    emulators.watch(({ when }) => {
      if (when === broken) throw new Error('The connection breaks.');
    });
    await expect(bus.publish([received(3)])).rejects.toThrow(expect.objectContaining({ code: 'BusError' }));
  });

  it('fails where there is no such bus', async () => {
    const nowhere = createBus({ ...emulators, busName: 'nowhere' });
    await expect(nowhere.publish([received(4)])).rejects.toThrow(
      new DrawbridgeError('BusError', 'EventBridge did not take the events: publish them again.'),
    );
  });

  it.each([
    ['refused one', { FailedEntryCount: 1, Entries: [{ EventId: '1' }, { ErrorCode: 'InternalFailure' }] }],
    ['speaks of fewer', { FailedEntryCount: 0, Entries: [{ EventId: '1' }] }],
    ['says nothing', {}],
  ])('fails where EventBridge %s', async (_, answer) => {
    const eventBridge = { send: async () => answer } as unknown as typeof emulators.eventBridge;
    await expect(createBus({ eventBridge, busName: 'bus' }).publish([received(5), received(6)])).rejects.toThrow(
      expect.objectContaining({ code: 'BusError' }),
    );
  });
});

describe('publishing groups of events', () => {
  /** Takes every event but those of the given serials. Keeps the serials of each call. */
  function rejecting(...rejected: readonly number[]) {
    const calls: number[][] = [];
    const send = async ({
      input,
    }: {
      readonly input: { readonly Entries: readonly { readonly Detail: string }[] };
    }) => {
      const serials = input.Entries.map(({ Detail }) => Number(JSON.parse(Detail).eventId));
      calls.push(serials);
      const Entries = serials.map((serial) =>
        rejected.includes(serial) ? { ErrorCode: 'InternalFailure' } : { EventId: String(serial) },
      );
      return { FailedEntryCount: 0, Entries };
    };
    const eventBridge = { send } as unknown as typeof emulators.eventBridge;
    return { calls, bus: createBus({ eventBridge, busName: 'bus' }) };
  }

  const groups = (...sizes: readonly number[]) => {
    let serial = 0;
    return sizes.map((size) => Array.from({ length: size }, () => received(++serial)));
  };

  it('takes one call for ten events, and fails only the group of a rejected event', async () => {
    const all = groups(1, 3, 2, 4);
    const { bus: one, calls } = rejecting(3);
    const answerTo = await one.publishAll(all);
    expect(calls).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]);
    const failed = all.map((group) => {
      try {
        return answerTo(group);
      } catch (error) {
        return error;
      }
    });
    expect(failed.map((error) => error instanceof DrawbridgeError)).toEqual([false, true, false, false]);
  });

  it('never divides a group between two calls of ten events at most', async () => {
    const { bus: one, calls } = rejecting();
    await one.publishAll(groups(4, 4, 3, 7, 1));
    expect(calls).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16, 17, 18], [19]]);
  });

  it('sends at most 256 KiB with a call', async () => {
    const { bus: one, calls } = rejecting();
    const large = groups(1, 1, 1).map((group) =>
      group.map((event) => ({ ...event, detail: { ...event.detail, text: 'x'.repeat(100_000) } })),
    );
    await one.publishAll(large);
    expect(calls).toEqual([[1, 2], [3]]);
  });
});
