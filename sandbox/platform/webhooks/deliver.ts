import type { Clock } from '#sandbox/platform/core/clock.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { type AttemptDeps, attemptDelivery } from './delivery-attempt.ts';
import type { DeliveryAttempt, DeliveryCause, DeliveryLog, LoggedDelivery } from './delivery-log.ts';
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
  readonly log: Pick<DeliveryLog, 'add' | 'update'>;
  /** Changes when the platform is reset: a delivery of an earlier epoch has no further attempt. */
  readonly epoch: () => number;
};

export type DeliverOptions = {
  readonly cause?: DeliveryCause;
  /** The number of the delivery that this one repeats. */
  readonly resendOf?: number;
  /** Called with the number of the delivery in the log. */
  readonly onLogged?: (number: number) => void;
  /** Called when the first attempt fails and others follow. */
  readonly onFirstFailure?: () => void;
};

/** Delivers notifications (section 6): with the registered headers, again where it fails, and at last as undelivered. */
export function createDeliver({
  clock,
  settings,
  registrations,
  undelivered,
  log,
  epoch,
  ...attemptDeps
}: DeliverDeps) {
  let underWay = 0;

  /** Sends a body, byte for byte, to the URL registered for the event type, until it is answered or kept. */
  async function deliver(eventType: string, body: Uint8Array, options: DeliverOptions = {}): Promise<Delivery> {
    const { cause = 'CONTROL', resendOf, onLogged, onFirstFailure } = options;
    const webhook = registrations.get(eventType);
    const createdOn = clock.now().toISOString();
    const common = { eventType, cause, body, attempts: [], createdOn, ...(resendOf !== undefined && { resendOf }) };
    if (webhook === undefined) {
      const { number } = log.add((next) => ({ number: next, ...common, outcome: 'unregistered' }));
      onLogged?.(number);
      return { outcome: 'unregistered' };
    }
    const logged = log.add((number) => ({ number, ...common, url: webhook.url, outcome: 'sending' }));
    onLogged?.(logged.number);
    underWay += 1;
    try {
      return await deliverTo(webhook, logged, onFirstFailure);
    } finally {
      underWay -= 1;
    }
  }

  /** Each attempt uses the URL and headers of the first, even if the webhook is registered again meanwhile. */
  async function deliverTo(webhook: Webhook, logged: LoggedDelivery, onFirstFailure?: () => void): Promise<Delivery> {
    const { deliveryRetriesAfter, deliveryTimeout: seconds } = settings.read();
    const { body } = logged;
    const ofEpoch = epoch();
    const attempts: DeliveryAttempt[] = [];
    const note = (outcome: LoggedDelivery['outcome']) => log.update({ ...logged, outcome, attempts: [...attempts] });
    for (;;) {
      const startedOn = clock.now().toISOString();
      const answer = await clock.during(attemptDelivery(webhook, body, { ...attemptDeps, seconds }));
      if (typeof answer === 'number') {
        attempts.push({ startedOn, status: answer });
        note('delivered');
        return { outcome: 'delivered', status: answer };
      }
      attempts.push({ startedOn, errorMessage: answer });
      const pause = deliveryRetriesAfter[attempts.length - 1];
      if (pause !== undefined && epoch() === ofEpoch) {
        note('retrying');
        if (attempts.length === 1) onFirstFailure?.();
        await new Promise<void>((resolve) => clock.after(pause, resolve));
        if (epoch() === ofEpoch) continue;
      }
      if (epoch() === ofEpoch) undelivered.add({ webhook, body: Buffer.from(body).toString(), errorMessage: answer });
      note('undelivered');
      return { outcome: 'undelivered', errorMessage: answer };
    }
  }

  return {
    deliver,
    /** Deliveries that wait for an answer, or for another attempt. */
    underWay: () => underWay,
  };
}
