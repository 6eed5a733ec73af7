import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import { createStoreFunction, messageOf } from './store-function.ts';

let emulators: Emulators;
let store: (messages: readonly string[]) => Promise<readonly number[]>;
beforeAll(async () => {
  emulators = await startHttpEmulators();
  ({ store } = createStoreFunction(emulators));
});
afterAll(() => emulators.close());
afterEach(() => emulators.unwatch());

const ten = Array.from({ length: 10 }, (_, index) => index);
const modifiedOn = (second: number) => `2026-01-02T03:00:0${second}Z`;
const orders = (name: string, status: string, deliveryId: string) =>
  ten.map((index) => messageOf({ orderId: `${name}-${index}`, status, modifiedOn: modifiedOn(0) }, deliveryId));

/** The requests that a batch makes, by operation. Each is a request over HTTP, retries included. */
async function requestsOf(messages: readonly string[]): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  emulators.watch(({ when, operation }) => {
    if (when === 'before') counts[operation] = (counts[operation] ?? 0) + 1;
  });
  expect(await store(messages)).toEqual([]);
  emulators.unwatch();
  return counts;
}

describe('store with a batch of ten webhooks, counted on the wire', () => {
  it('makes 22 requests for new webhooks about ten new orders', async () => {
    const requests = await requestsOf(orders('new', 'PENDING', 'first'));
    expect(requests).toEqual({ UpdateItem: 10, BatchGetItem: 1, PutItem: 10, PutEvents: 1 });
  });

  it('makes 23 requests for new webhooks about ten known orders', async () => {
    await store(orders('known', 'PENDING', 'first'));
    const requests = await requestsOf(orders('known', 'FILLED', 'second'));
    expect(requests).toEqual({ UpdateItem: 10, BatchGetItem: 2, PutItem: 10, PutEvents: 1 });
  });

  it('makes 12 requests for duplicates', async () => {
    await store(orders('duplicate', 'PENDING', 'first'));
    const requests = await requestsOf(orders('duplicate', 'PENDING', 'second'));
    expect(requests).toEqual({ UpdateItem: 10, BatchGetItem: 1, PutEvents: 1 });
  });

  it('makes 22 requests for messages that SQS delivers again', async () => {
    await store(orders('again', 'PENDING', 'first'));
    const requests = await requestsOf(orders('again', 'PENDING', 'first'));
    expect(requests).toEqual({ UpdateItem: 10, GetItem: 10, BatchGetItem: 1, PutEvents: 1 });
  });

  it('makes 13 requests for ten reports about one new order, which stay in its state', async () => {
    const reports = ten.map((second) =>
      messageOf({ orderId: 'same', status: 'PENDING', modifiedOn: modifiedOn(second) }, 'first'),
    );
    const requests = await requestsOf(reports);
    expect(requests).toEqual({ UpdateItem: 10, BatchGetItem: 1, PutItem: 1, PutEvents: 1 });
  });

  it('makes 4 requests for one new webhook', async () => {
    const requests = await requestsOf([messageOf({ orderId: 'single', status: 'PENDING' }, 'first')]);
    expect(requests).toEqual({ UpdateItem: 1, BatchGetItem: 1, PutItem: 1, PutEvents: 1 });
  });
});
