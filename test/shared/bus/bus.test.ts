import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Bus, BusError, createBus } from '#shared/bus/bus.ts';
import { eventReceived } from '#shared/bus/bus-event.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

let emulators: Emulators;
let bus: Bus;
beforeAll(async () => {
  emulators = await startEmulators();
  bus = createBus(emulators);
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const received = (serial: number) =>
  eventReceived({
    eventId: String(serial).padStart(64, '0'),
    eventType: 'CUSTOMER_NOTIFICATION',
    receivedOn: '2026-01-02T03:04:05Z',
  });

describe('publishing an event', () => {
  it('under its detail-type, of the source drawbridge', async () => {
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
    await expect(bus.publish([received(3)])).rejects.toThrow(BusError);
  });

  it('fails where there is no such bus', async () => {
    const nowhere = createBus({ ...emulators, busName: 'nowhere' });
    await expect(nowhere.publish([received(4)])).rejects.toThrow(
      new BusError('EventBridge did not take the events: publish them again.'),
    );
  });

  it.each([
    ['refused one', { FailedEntryCount: 1, Entries: [{ EventId: '1' }, { ErrorCode: 'InternalFailure' }] }],
    ['speaks of fewer', { FailedEntryCount: 0, Entries: [{ EventId: '1' }] }],
    ['says nothing', {}],
  ])('fails where EventBridge %s', async (_, answer) => {
    const eventBridge = { send: async () => answer } as unknown as typeof emulators.eventBridge;
    await expect(createBus({ eventBridge, busName: 'bus' }).publish([received(5), received(6)])).rejects.toThrow(
      BusError,
    );
  });
});
