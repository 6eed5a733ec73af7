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
};

/** A delivery that has begun. */
export type BegunDelivery = {
  /** The number of the delivery in the log. */
  readonly number: number;
  readonly result: Promise<Delivery>;
  /** Resolves after the first attempt: with the result, or with `retrying` if other attempts follow. */
  readonly firstResult: () => Promise<Delivery | Retrying>;
};

type Retrying = { readonly outcome: 'retrying' };

/** Delivers notifications (section 6): with the registered headers, again if it fails, and at last as undelivered. */
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

  /** Begins to send a body, byte for byte, to the URL registered for the event type, until it is answered or kept. */
  function begin(eventType: string, body: Uint8Array, options: DeliverOptions = {}): BegunDelivery {
    const { cause = 'CONTROL', resendOf } = options;
    const webhook = registrations.get(eventType);
    const createdOn = clock.now().toISOString();
    const common = { eventType, cause, body, attempts: [], createdOn, ...(resendOf !== undefined && { resendOf }) };
    if (webhook === undefined) {
      const { number } = log.add((next) => ({ number: next, ...common, outcome: 'unregistered' }));
      const result = Promise.resolve({ outcome: 'unregistered' } as const);
      return { number, result, firstResult: () => result };
    }
    const logged = log.add((number) => ({ number, ...common, url: webhook.url, outcome: 'sending' }));
    const { promise: retrying, resolve } = Promise.withResolvers<Retrying>();
    underWay += 1;
    const result = deliverTo(webhook, logged, () => resolve({ outcome: 'retrying' })).finally(() => {
      underWay -= 1;
    });
    return { number: logged.number, result, firstResult: () => Promise.race([result, retrying]) };
  }

  /** Each attempt uses the URL and headers of the first, even if the webhook is registered again meanwhile. */
  async function deliverTo(webhook: Webhook, logged: LoggedDelivery, onFirstFailure: () => void): Promise<Delivery> {
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
        if (attempts.length === 1) onFirstFailure();
        await new Promise<void>((resolve) => clock.after(pause, resolve));
        if (epoch() === ofEpoch) continue;
      }
      if (epoch() === ofEpoch) undelivered.add({ webhook, body: Buffer.from(body).toString(), errorMessage: answer });
      note('undelivered');
      return { outcome: 'undelivered', errorMessage: answer };
    }
  }

  return {
    begin,
    /** Deliveries that wait for an answer, or for another attempt. */
    underWay: () => underWay,
  };
}
