import { type ConsumerOptions, createConsumer, type SequenceStore } from '@drawbridge-partner/drawbridge/events';

export type Order = { readonly orderId: string; readonly status: string; readonly sequence: number };

export type HandlerDeps = {
  /** Remembers how far each order is, so that an event takes effect once and in order. */
  readonly sequences: SequenceStore;
  readonly saveOrder: (order: Order) => Promise<unknown>;
  /** Gets the outcome of each message, to log it. */
  readonly onMessage?: ConsumerOptions['onMessage'];
};

/** Keeps the latest status of each order. Events come twice and out of order: the consumer drops what is not newer. */
export function createHandler({ sequences, saveOrder, onMessage }: HandlerDeps) {
  return createConsumer({
    sequences,
    handlers: {
      OrderStatusChanged: ({ detail: { id, status = 'UNKNOWN', sequence } }) =>
        saveOrder({ orderId: id, status, sequence }),
    },
    onMessage,
  });
}
