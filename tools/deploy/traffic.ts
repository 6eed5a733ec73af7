import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { identifyEvent } from '#shared/events/event.ts';
import type { DeployRun } from './deploy-run.ts';
import { deliverOrder, orderEventType, orderNotification } from './steps/deliver.ts';

export type Traffic = {
  /** The ids of all events that were sent so far, in their order. */
  readonly eventIds: readonly string[];
  /** The ids of those that were accepted. */
  readonly accepted: ReadonlySet<string>;
  readonly orderIds: readonly string[];
  /** Attempts, and how many of them got no 2xx, so that the platform keeps the webhook as undelivered. */
  readonly attempts: { readonly all: number; readonly failed: number };
  readonly stop: () => Promise<void>;
};

const statuses = ['PENDING', 'FILLED'];
/** Every so many orders, both webhooks are delivered twice. */
const repeated = 4;
/** In milliseconds. */
const pause = 2_000;

/** Has the platform send webhooks about new orders, one after the other, until it is stopped. */
export function startTraffic(deployment: DeployRun): Traffic {
  const eventIds: string[] = [];
  const orderIds: string[] = [];
  const accepted = new Set<string>();
  const attempts = { all: 0, failed: 0 };
  let isOn = true;

  async function send(eventId: string, body: Buffer): Promise<void> {
    attempts.all += 1;
    const { outcome } = await deliverOrder(deployment, body);
    if (outcome === 'delivered') accepted.add(eventId);
    else attempts.failed += 1;
  }

  async function run(): Promise<void> {
    while (isOn) {
      const orderId = randomUUID();
      orderIds.push(orderId);
      for (const [second, status] of statuses.entries()) {
        const body = orderNotification(orderId, status, second);
        const { eventId } = identifyEvent(orderEventType, body, deployment.platform.platform.profile);
        eventIds.push(eventId);
        await send(eventId, body);
        if (orderIds.length % repeated === 0) await send(eventId, body);
      }
      // A step that fails does not stop the traffic, which must not keep the process alive.
      await wait(pause, undefined, { ref: false });
    }
  }

  const running = run();
  running.catch(() => undefined);
  return {
    eventIds,
    accepted,
    orderIds,
    attempts,
    stop: () => {
      isOn = false;
      return running;
    },
  };
}
