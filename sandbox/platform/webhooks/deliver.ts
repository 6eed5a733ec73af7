import type { Clock } from '#sandbox/platform/core/clock.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { type AttemptDeps, attemptDelivery } from './delivery-attempt.ts';
import type { Registrations } from './registrations.ts';
import type { UndeliveredWebhooks } from './undelivered-webhooks.ts';
import type { Webhook } from './webhook-schema.ts';

/** The result of a notification: answered with a status, kept as undelivered, or of a type without a registration. */
export type Delivery =
  | { readonly outcome: 'delivered'; readonly status: number }
  | { readonly outcome: 'undelivered'; readonly errorMessage: string }
  | { readonly outcome: 'unregistered' };

export type DeliverDeps = AttemptDeps & {
  readonly clock: Clock;
  readonly settings: SettingsStore;
  readonly registrations: Pick<Registrations, 'get'>;
  readonly undelivered: Pick<UndeliveredWebhooks, 'add'>;
};

/** Delivers notifications (section 6): with the registered headers, again where it fails, and at last as undelivered. */
export function createDeliver({ clock, settings, registrations, undelivered, ...attemptDeps }: DeliverDeps) {
  let underWay = 0;

  /**
   * Sends a body, byte for byte, to the URL registered for the event type, until it is answered or kept.
   *
   * @param onFirstFailure called when the first attempt fails and others follow
   */
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

  /** Each attempt uses the URL and headers of the first, even if the webhook is registered again meanwhile. */
  async function deliverTo(webhook: Webhook, body: Uint8Array, onFirstFailure?: () => void): Promise<Delivery> {
    const { deliveryRetriesAfter, deliveryTimeout: seconds } = settings.read();
    for (let attempts = 0; ; attempts += 1) {
      const answer = await clock.during(attemptDelivery(webhook, body, { ...attemptDeps, seconds }));
      if (typeof answer === 'number') return { outcome: 'delivered', status: answer };
      const pause = deliveryRetriesAfter[attempts];
      if (pause === undefined) {
        undelivered.add({ webhook, body: Buffer.from(body).toString(), errorMessage: answer });
        return { outcome: 'undelivered', errorMessage: answer };
      }
      if (attempts === 0) onFirstFailure?.();
      await new Promise<void>((resolve) => clock.after(pause, resolve));
    }
  }

  return {
    deliver,
    /** Deliveries that wait for an answer, or for another attempt. */
    underWay: () => underWay,
  };
}
