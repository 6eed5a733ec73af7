import type { Clock } from '#sandbox/platform/core/clock.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings.ts';
import type { Registrations } from './registrations.ts';
import type { UndeliveredWebhooks } from './undelivered-webhooks.ts';
import type { Webhook } from './webhook-schema.ts';

/** What became of one notification: answered with a status, kept as undelivered, or of a type that nobody registered. */
export type Delivery =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'undelivered'; readonly errorMessage: string }
  | { readonly outcome: 'unregistered' };

export type DeliveriesDeps = {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly random: () => number;
  readonly settings: SettingsStore;
  readonly registrations: Pick<Registrations, 'get'>;
  readonly undelivered: Pick<UndeliveredWebhooks, 'add'>;
};

/** Sends what happened to whoever has registered for it; does not wait for it. */
export type Notify = (eventType: string, resource: Readonly<Record<string, unknown>>) => void;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Sends notifications (section 6): with the registered headers, again where they fail, and at last as undelivered. */
export function createDeliveries({ fetch: send, clock, random, settings, registrations, undelivered }: DeliveriesDeps) {
  /** Go out after the next one. */
  let heldBack: (() => void)[] = [];
  let underWay = 0;

  /** Sends a body, byte for byte, to the URL registered for the event type, until it is answered or kept. */
  async function deliver(eventType: string, body: Uint8Array, onFirstFailure?: () => void): Promise<Delivery> {
    const webhook = registrations.get(eventType);
    if (webhook === undefined) return { outcome: 'unregistered' };
    underWay += 1;
    try {
      return await deliverTo(webhook, body, onFirstFailure);
    } finally {
      underWay -= 1;
    }
  }

  /** Each attempt with the headers of the first, even where the webhook is registered anew meanwhile. */
  async function deliverTo(webhook: Webhook, body: Uint8Array, onFirstFailure?: () => void): Promise<Delivery> {
    const pauses = settings.read().deliveryRetriesAfter;
    for (let attempts = 0; ; attempts += 1) {
      const answer = await clock.during(attempt(webhook, body));
      if (typeof answer === 'number') return { outcome: 'delivered', status: answer };
      const pause = pauses[attempts];
      if (pause === undefined) {
        undelivered.add({ webhook, body: Buffer.from(body).toString(), errorMessage: answer });
        return { outcome: 'undelivered', errorMessage: answer };
      }
      if (attempts === 0) onFirstFailure?.();
      await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
  }

  /** The status of a 2xx answer; otherwise why the delivery failed. */
  async function attempt({ url, headers = [] }: Webhook, body: Uint8Array): Promise<number | string> {
    try {
      const answer = await send(url, {
        method: 'POST',
        headers: [
          ['content-type', 'application/json'],
          ...headers.map(({ name, value }): [string, string] => [name, value]),
        ],
        body: Buffer.from(body),
        redirect: 'manual',
        signal: AbortSignal.timeout(settings.read().deliveryTimeout * 1_000),
      });
      await answer.arrayBuffer();
      return answer.ok ? answer.status : `The webhook was answered with ${answer.status}.`;
    } catch (error) {
      return `The webhook was not answered: ${error instanceof Error ? error.name : 'unknown error'}.`;
    }
  }

  const happens = (share: number) => share > 0 && random() < share;

  const notify: Notify = (eventType, resource) => {
    const body = Buffer.from(JSON.stringify(resource));
    const { deliveriesLost, deliveriesDuplicated } = settings.read();
    if (happens(deliveriesLost)) return;
    dispatch(eventType, body);
    if (happens(deliveriesDuplicated)) dispatch(eventType, body);
  };

  function dispatch(eventType: string, body: Uint8Array): void {
    const { deliveriesDelayed, deliveriesReordered, deliveryDelay } = settings.read();
    const go = () => void deliver(eventType, body);
    if (happens(deliveriesDelayed)) clock.after(random() * deliveryDelay, () => sendOff(go));
    else if (happens(deliveriesReordered)) holdBack(go, deliveryDelay);
    else sendOff(go);
  }

  function sendOff(go: () => void): void {
    const after = heldBack;
    heldBack = [];
    for (const one of [go, ...after]) one();
  }

  /** Until another goes out; where none does, not for ever. */
  function holdBack(go: () => void, seconds: number): void {
    heldBack.push(go);
    clock.after(seconds, () => {
      if (!heldBack.includes(go)) return;
      heldBack = heldBack.filter((one) => one !== go);
      go();
    });
  }

  return {
    deliver,
    notify,
    /** Deliveries that wait for an answer, for another attempt, or for another to go first. */
    waiting: () => underWay + heldBack.length,
  };
}
