import { inMemorySequences } from '@drawbridge-partner/drawbridge/events';
import { expect, it } from 'vitest';
import { createHandler, type Order } from './handler.ts';

/** A message as SQS hands it over: the event of the bus is its body. */
function message(messageId: string, status: string, sequence: number) {
  const event = {
    version: '0',
    id: messageId,
    source: 'drawbridge',
    'detail-type': 'OrderStatusChanged',
    account: '123456789012',
    time: '2026-01-02T03:04:05Z',
    region: 'eu-central-1',
    resources: [],
    detail: { kind: 'order', id: 'order-1', status, sequence, anomalies: [], remedies: [], eventId: 'e'.repeat(64) },
  };
  return { messageId, body: JSON.stringify(event) };
}

function createTrial() {
  const saved: Order[] = [];
  const handler = createHandler({
    sequences: inMemorySequences(),
    saveOrder: async (order) => saved.push(order),
  });
  return { handler, saved };
}

it('keeps the newest status when events come twice and out of order', async () => {
  const { handler, saved } = createTrial();
  const [pending, filled] = [message('1', 'PENDING', 1), message('2', 'FILLED', 2)];
  for (const record of [filled, pending, filled])
    expect(await handler({ Records: [record] })).toEqual({ batchItemFailures: [] });
  expect(saved).toEqual([{ orderId: 'order-1', status: 'FILLED', sequence: 2 }]);
});

it('returns a message that it cannot read to SQS, and handles the others', async () => {
  const { handler, saved } = createTrial();
  const Records = [{ messageId: 'broken', body: 'no JSON' }, message('1', 'PENDING', 1)];
  expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'broken' }] });
  expect(saved.map(({ status }) => status)).toEqual(['PENDING']);
});
