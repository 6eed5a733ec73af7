import { busEvent, inMemorySequences, sqsBatch } from '@drawbridge-partner/drawbridge/testing';
import { expect, it } from 'vitest';
import { createHandler, type Order } from './handler.ts';

function createTrial() {
  const saved: Order[] = [];
  const handler = createHandler({
    sequences: inMemorySequences(),
    saveOrder: async (order) => saved.push(order),
  });
  return { handler, saved };
}

const pending = busEvent('OrderStatusChanged', { id: 'order-1', status: 'PENDING', sequence: 1 });
const filled = busEvent('OrderStatusChanged', { id: 'order-1', status: 'FILLED', sequence: 2 });

it('keeps the newest status when events come twice and out of order', async () => {
  const { handler, saved } = createTrial();
  for (const event of [filled, pending, filled])
    expect(await handler(sqsBatch(event))).toEqual({ batchItemFailures: [] });
  expect(saved).toEqual([{ orderId: 'order-1', status: 'FILLED', sequence: 2 }]);
});

it('returns a message that it cannot read to SQS, and handles the others', async () => {
  const { handler, saved } = createTrial();
  expect(await handler(sqsBatch('no JSON', pending))).toEqual({
    batchItemFailures: [{ itemIdentifier: 'message-1' }],
  });
  expect(saved.map(({ status }) => status)).toEqual(['PENDING']);
});
