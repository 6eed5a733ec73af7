import type { Phase, Plan } from './run-sample.ts';
import { httpEvent, orderBody, sqsEvent } from './webhooks.ts';

/** What a batch holds. */
export const storeContents = ['fresh', 'duplicate', 'same entity'] as const;

export type StoreContent = (typeof storeContents)[number];

export const batchSizes = [1, 10] as const;

export const phaseName = (content: StoreContent, size: number) => `${content}, batch of ${size}`;

const range = (length: number) => Array.from({ length }, (_, index) => index);

/** @param name makes the webhooks different from those of every other plan */
export function receivePlan(name: string, calls: number, warmUp: number): Plan {
  const event = (index: number) => httpEvent(orderBody(`${name}-${index}`, 0), `request-${index}`);
  return {
    first: event(0),
    phases: [{ name: 'webhook', warmUp, events: range(calls + warmUp).map((nth) => event(nth + 1)) }],
  };
}

export function storePlan(name: string, calls: number, warmUp: number): Plan {
  const phases = batchSizes.flatMap((size) =>
    storeContents.map((content) => storePhase(`${name}-${content}-${size}`, content, size, calls, warmUp)),
  );
  return { first: freshBatch(`${name}-first`, 1), phases };
}

/** Batches of one content. The batch that the duplicates repeat comes first. */
export function storePhase(name: string, content: StoreContent, size: number, calls: number, warmUp: number): Phase {
  const events = range(calls + warmUp).map((nth) => {
    if (content === 'fresh') return freshBatch(`${name}-${nth}`, size);
    if (content === 'duplicate') return freshBatch(name, size, `delivery-${nth}`);
    return sqsEvent(
      range(size).map((second) => ({ body: orderBody(`${name}-${nth}`, second), deliveryId: `delivery-${nth}` })),
    );
  });
  return { name: phaseName(content, size), events, warmUp };
}

function freshBatch(name: string, size: number, deliveryId = 'delivery'): object {
  return sqsEvent(range(size).map((index) => ({ body: orderBody(`${name}-${index}`, 0), deliveryId })));
}
