import { createDeliver, type DeliverDeps, type Delivery } from './deliver.ts';
import type { WriteNotification } from './place-notification.ts';

/** Sends a notification to the registered webhook without waiting for the answer. */
export type Notify = (eventType: string, resource: Readonly<Record<string, unknown>>) => void;

export type DeliveriesDeps = DeliverDeps & {
  readonly random: () => number;
  readonly writeNotification: WriteNotification;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
};

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Sends a delivery. Resolves after its first attempt. */
type Send = () => Promise<void>;

/** Deliveries as the settings want them: some twice, late, in another order, or never. */
export function createDeliveries({ random, writeNotification, onError, ...deliverDeps }: DeliveriesDeps) {
  const { clock, settings, registrations, epoch } = deliverDeps;
  const { begin, underWay } = createDeliver(deliverDeps);
  /** Goes out after the next one. */
  let heldBack: Send | undefined;
  let toBeSent = 0;
  let lost = 0;

  const happens = (share: number) => share > 0 && random() < share;

  const notify: Notify = (eventType, resource) => {
    const body = Buffer.from(JSON.stringify(writeNotification(eventType, resource)));
    const { deliveriesLost, deliveriesDuplicated } = settings.read();
    if (registrations.get(eventType) === undefined) return;
    if (happens(deliveriesLost)) {
      lost += 1;
      return;
    }
    const times = happens(deliveriesDuplicated) ? 2 : 1;
    for (let time = 0; time < times; time += 1) dispatch(eventType, body);
  };

  function dispatch(eventType: string, body: Uint8Array): void {
    const { deliveriesDelayed, deliveriesReordered, deliveryDelay } = settings.read();
    const ofEpoch = epoch();
    toBeSent += 1;
    const send: Send = () => {
      toBeSent -= 1;
      return epoch() === ofEpoch ? sendOnce(eventType, body) : Promise.resolve();
    };
    if (happens(deliveriesDelayed)) clock.after(random() * deliveryDelay, () => sendOff(send));
    else if (heldBack === undefined && happens(deliveriesReordered)) holdBack(send, deliveryDelay);
    else sendOff(send);
  }

  async function sendOnce(eventType: string, body: Uint8Array): Promise<void> {
    const { result, firstResult } = begin(eventType, body, { cause: 'PLATFORM' });
    result.catch(onError);
    await firstResult().catch(() => undefined);
  }

  /** And what was held back behind it. */
  function sendOff(send: Send): void {
    const next = heldBack;
    heldBack = undefined;
    const sent = send();
    if (next !== undefined) void sent.then(next);
  }

  /** Until another delivery has gone out. Without another one, until this time is over. */
  function holdBack(send: Send, seconds: number): void {
    heldBack = send;
    clock.after(seconds, () => {
      if (heldBack === send) sendOff(() => Promise.resolve());
    });
  }

  return {
    /** Begins a delivery immediately, regardless of the settings. */
    begin,
    /** Delivers immediately, regardless of the settings. Resolves with the final result. */
    deliver: (eventType: string, body: Uint8Array): Promise<Delivery> => begin(eventType, body).result,
    notify,
    /** Deliveries that are late or held back, that wait for an answer, or for another attempt. */
    waiting: () => toBeSent + underWay(),
    /** How many were never sent, since the settings say so. */
    lost: () => lost,
  };
}
