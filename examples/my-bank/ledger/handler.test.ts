import { busEvent, inMemorySequences, sqsBatch } from '@drawbridge-partner/drawbridge/testing';
import { expect, it } from 'vitest';
import { type Booking, createLedger } from './handler.ts';

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
    handle: (event: object) => handler(sqsBatch(event)),
    failNext: () => {
      failures = 1;
    },
  };
}

const order = { id: 'order-1' };
const settled = busEvent('OrderStatusChanged', { ...order, status: 'SETTLED', sequence: 3 });
const filled = busEvent('OrderStatusChanged', { ...order, status: 'FILLED', sequence: 2 });
const overtaken = busEvent('OrderStatusReported', { ...order, status: 'FILLED' });

it.each([
  ['FILLED before SETTLED', [filled, settled], 'FILLED'],
  ['SETTLED before FILLED', [settled, filled], 'SETTLED'],
  ['FILLED that was overtaken at the webhook', [settled, overtaken], 'SETTLED'],
  ['SETTLED, where FILLED is lost', [settled], 'SETTLED'],
  ['FILLED twice', [filled, filled], 'FILLED'],
])('books an order once: %s', async (_, events, status) => {
  const { booked, handle } = createTrial();
  for (const event of events) expect(await handle(event)).toEqual({ batchItemFailures: [] });
  expect([...booked.values()].map((booking) => booking.status)).toEqual([status]);
});

it('books nothing before an order is filled', async () => {
  const { booked, handle } = createTrial();
  await handle(busEvent('OrderStatusChanged', { ...order, status: 'PENDING' }));
  expect(booked.size).toBe(0);
});

it('repeats a booking whose run failed, and books once', async () => {
  const { booked, handle, failNext } = createTrial();
  failNext();
  expect(await handle(filled)).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }] });
  expect(await handle(filled)).toEqual({ batchItemFailures: [] });
  expect(booked.size).toBe(1);
});
