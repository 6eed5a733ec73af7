import { type ConsumerOptions, createConsumer, hasReached, type SequenceStore } from 'drawbridge/events';

export type Booking = { readonly orderId: string; readonly status: string; readonly eventId: string };

export type LedgerDeps = {
  /** Remembers which events were handled. */
  readonly sequences: SequenceStore;
  /** Books an order, unless it is booked: a run that ends in between is repeated. */
  readonly book: (booking: Booking) => Promise<unknown>;
  /** Gets the outcome of each message, to log it. */
  readonly onMessage?: ConsumerOptions['onMessage'];
};

type Reported = {
  readonly detail: {
    readonly kind: 'order';
    readonly id: string;
    readonly status?: string | undefined;
    readonly statusBefore?: string | undefined;
    readonly eventId: string;
  };
};

/** Books each order once: on the first report of FILLED, or on a status that implies it, such as SETTLED, if none came before. */
export function createLedger({ sequences, book, onMessage }: LedgerDeps) {
  async function bookIfFilled({ detail }: Reported): Promise<void> {
    if (!hasReached(detail, 'FILLED')) return;
    const { id, status = 'UNKNOWN', eventId } = detail;
    await book({ orderId: id, status, eventId });
  }
  return createConsumer({
    // A ledger needs each report. The latest state would drop FILLED where SETTLED was faster.
    mode: 'every-change',
    sequences,
    handlers: { OrderStatusChanged: bookIfFilled, OrderStatusReported: bookIfFilled },
    onMessage,
  });
}
