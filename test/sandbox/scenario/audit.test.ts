import { describe, expect, it } from 'vitest';
import { type Audit, auditEvents, isFlawless, type Sent } from '#sandbox/scenario/audit.ts';
import type { EventRow } from '#shared/event-row.ts';
import { deflateBody } from '#shared/webhook-delivery.ts';

const order = 'ORDER_NOTIFICATION';
const transfer = 'TRANSFER_NOTIFICATION';

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

describe('an event store that has every webhook once', () => {
  it('is flawless', () => {
    const result = auditEvents([sent(1, 'a'), sent(2, 'b')], [row('b'), row('a')]);
    expect(faults(result)).toEqual({});
    expect(isFlawless(result)).toBe(true);
  });

  it('is flawless when it has one row, with two deliveries, of what was sent twice in other words', () => {
    expect(audit([sent(1, '{"a":1}'), sent(1, '{ "a": 1 }')], [row('{ "a": 1 }', { deliveries: 2 })])).toEqual({});
  });

  it('is not doubled by a delivery that was stored although its answer failed', () => {
    const deliveries = [sent(1, 'a'), sent(1, 'a', { answered: false })];
    expect(audit(deliveries, [row('a', { deliveries: 2 })])).toEqual({ refused: 1 });
  });

  it('is flawless when two types were sent the same', () => {
    const deliveries = [sent(1, 'a'), sent(2, 'a', { eventType: transfer })];
    expect(audit(deliveries, [row('a'), row('a', { eventType: transfer })])).toEqual({});
  });
});

describe('a webhook is lost', () => {
  it('when it was answered and has no row', () => {
    expect(audit([sent(1, 'a'), sent(2, 'b')], [row('b')])).toEqual({ lost: 1 });
  });

  it('when its row counts fewer deliveries than were answered', () => {
    expect(audit([sent(1, 'a'), sent(1, 'a '), sent(1, ' a')], [row('a')])).toEqual({ lost: 2 });
  });

  it('when its row is of another type', () => {
    expect(audit([sent(1, 'a')], [row('a', { eventType: transfer })])).toEqual({ lost: 1, changed: 1 });
  });
});

describe('a webhook is doubled', () => {
  it('when its row counts more deliveries than there were', () => {
    expect(audit([sent(1, 'a')], [row('a', { deliveries: 3 })])).toEqual({ doubled: 2 });
  });

  it('when it has two rows, one for each way in which it was written', () => {
    expect(audit([sent(1, 'a'), sent(1, 'a ')], [row('a'), row('a ')])).toEqual({ doubled: 1 });
  });
});

describe('a webhook is changed', () => {
  it('when there is a row with bytes that nobody sent', () => {
    expect(audit([sent(1, 'a')], [row('a'), row('a!')])).toEqual({ changed: 1 });
  });

  it('and lost, when its own row has other bytes', () => {
    expect(audit([sent(1, 'a')], [row('A')])).toEqual({ lost: 1, changed: 1 });
  });
});

describe('a webhook is refused', () => {
  it('when it was not answered with 2xx, and is not missed then', () => {
    const result = auditEvents([sent(1, 'a', { answered: false }), sent(2, 'b')], [row('b')]);
    expect(faults(result)).toEqual({ refused: 1 });
    expect(isFlawless(result)).toBe(false);
  });
});

describe('the tallies', () => {
  it('say of each type what was sent and what became of it, in the order of their names', () => {
    const deliveries = [
      sent(3, 'c', { eventType: transfer }),
      sent(1, 'a'),
      sent(1, 'a '),
      sent(2, 'b', { answered: false }),
    ];
    const rows = [row('a', { deliveries: 2 }), row('c', { eventType: transfer, quarantineReason: 'no JSON' })];
    expect(auditEvents(deliveries, rows).tallies).toEqual([
      { eventType: order, sent: 3, answered: 2, stored: 1, duplicates: 1, quarantined: 0 },
      { eventType: transfer, sent: 1, answered: 1, stored: 1, duplicates: 0, quarantined: 1 },
    ]);
  });
});
