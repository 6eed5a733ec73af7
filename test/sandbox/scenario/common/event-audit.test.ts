import { describe, expect, it } from 'vitest';
import { type Audit, auditEvents, isFlawless, type Sent } from '#sandbox/scenario/common/event-audit.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { deflateBody } from '#shared/events/webhook-delivery.ts';

const order = 'ORDER_NOTIFICATION';

const sent = (event: number, body: string, { answered = true, eventType = order } = {}): Sent => ({
  notification: { event, eventType, body },
  answered,
});

const row = (body: string, more: Partial<EventRow> = {}): EventRow => ({
  eventId: body,
  eventType: order,
  receivedOn: '2026-11-21T08:00:00Z',
  deflatedBody: deflateBody(Buffer.from(body)),
  deliveries: 1,
  deliveryIds: ['1'],
  expiresAt: 0,
  quarantineReason: undefined,
  ...more,
});

function faults({ lost, doubled, changed, refused }: Audit): Partial<Audit> {
  const all = { lost, doubled, changed, refused };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count > 0));
}

const audit = (deliveries: readonly Sent[], rows: readonly EventRow[]) => faults(auditEvents(deliveries, rows));

describe('sandbox scenario: auditEvents, an event store with every webhook once', () => {
  it('is flawless when each webhook has its own row', () => {
    const result = auditEvents([sent(1, 'a'), sent(2, 'b')], [row('b'), row('a')]);
    expect(faults(result)).toEqual({});
    expect(isFlawless(result)).toBe(true);
  });
});

describe('sandbox scenario: auditEvents, lost webhooks', () => {
  it('counts a webhook as lost when it was answered and has no row', () => {
    expect(audit([sent(1, 'a'), sent(2, 'b')], [row('b')])).toEqual({ lost: 1 });
  });

  it('counts a webhook as lost when its row counts fewer deliveries than were answered', () => {
    expect(audit([sent(1, 'a'), sent(1, 'a '), sent(1, ' a')], [row('a')])).toEqual({ lost: 2 });
  });
});

describe('sandbox scenario: auditEvents, webhooks stored twice', () => {
  it('counts a webhook as stored twice when its row counts more deliveries than were sent', () => {
    expect(audit([sent(1, 'a')], [row('a', { deliveries: 3 })])).toEqual({ doubled: 2 });
    expect(audit([{ ...sent(1, 'a'), attempts: 2 }], [row('a', { deliveries: 3 })])).toEqual({ doubled: 1 });
  });

  it('counts a webhook as stored twice when each of its notations has a row', () => {
    expect(audit([sent(1, 'a'), sent(1, 'a ')], [row('a'), row('a ')])).toEqual({ doubled: 1 });
  });
});

describe('sandbox scenario: auditEvents, changed webhooks', () => {
  it('counts a row with bytes that were never sent as changed', () => {
    expect(audit([sent(1, 'a')], [row('a'), row('a!')])).toEqual({ changed: 1 });
  });
});

describe('sandbox scenario: auditEvents, refused webhooks', () => {
  it('counts a webhook without a 2xx answer as refused, and not as lost', () => {
    const result = auditEvents([sent(1, 'a', { answered: false }), sent(2, 'b')], [row('b')]);
    expect(faults(result)).toEqual({ refused: 1 });
    expect(isFlawless(result)).toBe(false);
  });
});
