import { setTimeout as wait } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import type { Deliveries } from '#sandbox/platform/webhooks/deliveries.ts';
import { type EventRow, readEventRow } from '#shared/event-row.ts';
import { type Audit, auditEvents, type Sent } from './audit.ts';
import type { Notification } from './notifications.ts';

export type Progress = { readonly sent: number; readonly answered: number; readonly waiting: number };

export type FirstWebhooksProps = {
  readonly host: Pick<Host, 'clients' | 'blueprint'>;
  readonly deliveries: Pick<Deliveries, 'deliver'>;
  readonly notifications: readonly Notification[];
  readonly onProgress: (progress: Progress) => void;
};

/** How many deliveries the platform has under way at once. */
const concurrency = 32;

/** In milliseconds: how long a webhook may take from its answer to its row. */
const patience = 60_000;

/** Sends webhooks through the hosted stacks, waits until the queue is empty, and audits the event store. */
export async function runFirstWebhooks({
  host,
  deliveries,
  notifications,
  onProgress,
}: FirstWebhooksProps): Promise<Audit> {
  const sent: Sent[] = [];
  const left = notifications.values();
  const progress = setInterval(() => void report().catch(() => undefined), 250);

  async function report(): Promise<void> {
    const answered = sent.filter((one) => one.answered).length;
    onProgress({ sent: sent.length, answered, waiting: await waitingMessages(host) });
  }

  async function send(): Promise<void> {
    for (const notification of left) {
      const delivery = await deliveries.deliver(notification.eventType, Buffer.from(notification.body));
      sent.push({ notification, answered: delivery.outcome === 'delivered' });
    }
  }

  try {
    await Promise.all(Array.from({ length: concurrency }, send));
    await waitUntilStored(host);
    await report();
  } finally {
    clearInterval(progress);
  }
  return auditEvents(sent, await readAllEvents(host));
}

/** Waits until no queue holds a message any more; gives up after a minute in which none has become less. */
export async function waitUntilStored(host: FirstWebhooksProps['host']): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let giveUpAt = Date.now() + patience; Date.now() < giveUpAt; await wait(100)) {
    const waiting = await waitingMessages(host);
    if (waiting === 0) return;
    if (waiting < fewest) giveUpAt = Date.now() + patience;
    fewest = Math.min(fewest, waiting);
  }
}

/** Messages that wait to be stored, or are being stored now. */
async function waitingMessages({ clients, blueprint }: FirstWebhooksProps['host']): Promise<number> {
  const sources = blueprint.queues.filter(({ properties }) => properties.RedrivePolicy !== undefined);
  const depths = await Promise.all(sources.map(({ ref }) => readQueueDepth(clients.sqs, ref)));
  return depths.reduce((sum, { visible, inFlight }) => sum + visible + inFlight, 0);
}

/** Every row of the events table. */
export async function readAllEvents({ clients, blueprint }: FirstWebhooksProps['host']): Promise<readonly EventRow[]> {
  const table = blueprint.tables.find(({ name }) => name === 'events');
  const rows: EventRow[] = [];
  for await (const page of paginateScan(
    { client: clients.dynamodb },
    { TableName: table?.physicalName, ConsistentRead: true },
  ))
    rows.push(...(page.Items ?? []).map(readEventRow));
  return rows;
}
