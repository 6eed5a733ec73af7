import { inMemorySequences } from 'drawbridge/events';
import { expect, it } from 'vitest';
import { type Booking, createLedger } from './handler.ts';

/** A message as SQS hands it over: the event of the bus is its body. */
function message(messageId: string, type: 'OrderStatusChanged' | 'OrderStatusReported', detail: object) {
  const about = { kind: 'order', id: 'order-1', eventId: messageId.padEnd(64, '0') };
  const event = { id: messageId, source: 'drawbridge', 'detail-type': type, time: '2026-01-02T03:04:05Z' };
  return { messageId, body: JSON.stringify({ ...event, detail: { ...about, ...detail } }) };
}

const changed = (messageId: string, status: string, sequence: number) =>
  message(messageId, 'OrderStatusChanged', { status, sequence, anomalies: [], remedies: [] });

function createTrial() {
  const booked = new Map<string, Booking>();
  let failures = 0;
  const handler = createLedger({
    sequences: inMemorySequences(),
    book: async (booking) => {
      if (!booked.has(booking.orderId)) booked.set(booking.orderId, booking);
      if (failures-- > 0) throw new Error('the run ends after the booking');
    },
  });
  return {
    booked,
    handle: (...Records: readonly object[]) => handler({ Records }),
    failNext: () => {
      failures = 1;
    },
  };
}

const settled = changed('a', 'SETTLED', 3);
const filled = changed('b', 'FILLED', 2);
const overtaken = message('c', 'OrderStatusReported', { status: 'FILLED' });

it.each([
  ['FILLED before SETTLED', [filled, settled], 'FILLED'],
  ['SETTLED before FILLED', [settled, filled], 'SETTLED'],
  ['FILLED that was overtaken at the webhook', [settled, overtaken], 'SETTLED'],
  ['SETTLED, where FILLED is lost', [settled], 'SETTLED'],
  ['FILLED twice', [filled, filled], 'FILLED'],
])('books an order once: %s', async (_, messages, status) => {
  const { booked, handle } = createTrial();
  for (const one of messages) expect(await handle(one)).toEqual({ batchItemFailures: [] });
  expect([...booked.values()].map((booking) => booking.status)).toEqual([status]);
});

it('books nothing before an order is filled', async () => {
  const { booked, handle } = createTrial();
  await handle(changed('a', 'PENDING', 1));
  expect(booked.size).toBe(0);
});

it('repeats a booking whose run failed, and books once', async () => {
  const { booked, handle, failNext } = createTrial();
  failNext();
  expect(await handle(filled)).toEqual({ batchItemFailures: [{ itemIdentifier: 'b' }] });
  expect(await handle(filled)).toEqual({ batchItemFailures: [] });
  expect(booked.size).toBe(1);
});
