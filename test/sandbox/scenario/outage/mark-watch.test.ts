import { beforeEach, describe, expect, it } from 'vitest';
import type { Notification } from '#sandbox/scenario/common/notifications.ts';
import { createMarkWatch, type MarkWatch } from '#sandbox/scenario/outage/mark-watch.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const eventType = 'TRANSFER_NOTIFICATION';
const [body, rewritten, other] = ['{"transferId":"a"}', '{ "transferId": "a" }', '{"transferId":"b"}'];
const notifications: readonly Notification[] = [
  { event: 0, eventType, body },
  { event: 0, eventType, body: rewritten },
  { event: 1, eventType, body: other },
];
const time = '2026-11-21T08:00:00Z';
const webhook = { eventType, url: 'https://partner.example', createdOn: time, modifiedOn: time };
const record = (id: string, text: string) => ({
  id,
  webhook,
  body: text,
  errorMessage: 'x',
  createdOn: time,
  modifiedOn: time,
});
/** From the oldest to the newest. */
const records = [record('first', body), record('second', rewritten), record('third', other)];
const row = (text: string, deliveries: number): EventRow => ({
  eventId: text,
  eventType,
  receivedOn: time,
  deflatedBody: deflateBody(Buffer.from(text)),
  deliveries,
  deliveryIds: [],
  expiresAt: 0,
  quarantineReason: undefined,
});

const profile = platformProfile.parse({});
let rows: readonly EventRow[];
let watch: MarkWatch;
beforeEach(() => {
  rows = [];
  const undelivered = { all: () => records };
  watch = createMarkWatch({ platform: { profile, undelivered }, notifications, readEvents: async () => rows });
});

function call(undeliveredWebhookId: string, path = profile.webhookPaths.markDelivered, method = 'POST'): Promise<void> {
  const content = method === 'POST' ? { body: JSON.stringify({ undeliveredWebhookId }) } : {};
  return watch.onCall(new Request(`http://platform${path}`, { method, ...content }));
}

describe('sandbox scenario: createMarkWatch (promise 5)', () => {
  it('counts each older record that is missing from the event store', async () => {
    rows = [row(body, 2)];
    await call('second');
    expect(watch.marks()).toEqual({ calls: 1, early: 0 });
    await call('third');
    expect(watch.marks()).toEqual({ calls: 2, early: 1 });
  });

  it('counts an event whose row lacks one of its deliveries', async () => {
    rows = [row(rewritten, 1)];
    await call('first');
    expect(watch.marks()).toEqual({ calls: 1, early: 0 });
    await call('second');
    expect(watch.marks()).toEqual({ calls: 2, early: 1 });
  });
});
