import type { Host } from '#sandbox/aws/host.ts';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { type Audit, auditEvents, type Sent } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import type { Notification } from '#sandbox/scenario/common/notifications.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';

export type Progress = { readonly sent: number; readonly answered: number; readonly waiting: number };

export type FirstWebhooksProps = {
  readonly host: Pick<Host, 'clients' | 'blueprint'>;
  readonly platform: Pick<Platform, 'deliveries' | 'deliveryLog'>;
  readonly notifications: readonly Notification[];
  readonly onProgress: (progress: Progress) => void;
};

const deliveryConcurrency = 32;

/** Sends webhooks through the hosted stacks, waits until the queues are empty, and audits the event store. */
export async function runFirstWebhooks({
  host,
  platform: { deliveries, deliveryLog },
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
    const { number, result } = deliveries.begin(notification.eventType, Buffer.from(notification.body));
    const { outcome } = await result;
    const attempts = deliveryLog.find(number)?.attempts.length ?? 1;
    sent.push({ notification, answered: outcome === 'delivered', attempts });
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
