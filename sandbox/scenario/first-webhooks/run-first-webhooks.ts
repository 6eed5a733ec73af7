import type { Host } from '#sandbox/aws/host.ts';
import type { Deliveries } from '#sandbox/platform/webhooks/deliveries.ts';
import { type Audit, auditEvents, type Sent } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import type { Notification } from '#sandbox/scenario/common/notifications.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';

export type Progress = { readonly sent: number; readonly answered: number; readonly waiting: number };

export type FirstWebhooksProps = {
  readonly host: Pick<Host, 'clients' | 'blueprint'>;
  readonly deliveries: Pick<Deliveries, 'deliver'>;
  readonly notifications: readonly Notification[];
  readonly onProgress: (progress: Progress) => void;
};

const deliveryConcurrency = 32;

/** Sends webhooks through the hosted stacks, waits until the queues are empty, and audits the event store. */
export async function runFirstWebhooks({
  host,
  deliveries,
  notifications,
  onProgress,
}: FirstWebhooksProps): Promise<Audit> {
  const sent: Sent[] = [];
  const progress = setInterval(() => void report().catch(() => undefined), 250);

  async function report(): Promise<void> {
    const answered = sent.filter((one) => one.answered).length;
    onProgress({ sent: sent.length, answered, waiting: await countMessages(host, 'work') });
  }

  async function send(notification: Notification): Promise<void> {
    const delivery = await deliveries.deliver(notification.eventType, Buffer.from(notification.body));
    sent.push({ notification, answered: delivery.outcome === 'delivered' });
  }

  try {
    await mapConcurrent(notifications, deliveryConcurrency, send);
    await waitUntilStored(host);
    await report();
  } finally {
    clearInterval(progress);
  }
  return auditEvents(sent, await readAllEvents(host));
}
