import { describe, expect, it } from 'vitest';
import { busLines, decisionLine, webhookLine } from '#sandbox/life/life.ts';
import type { LoggedDelivery } from '#sandbox/platform/webhooks/delivery-log.ts';

const delivery: LoggedDelivery = {
  number: 7,
  eventType: 'TRANSFER_NOTIFICATION',
  cause: 'PLATFORM',
  body: Buffer.from('{"transferId":"t-1","status":"PROCESSED","lastName":"CANARY"}'),
  outcome: 'delivered',
  attempts: [{ startedOn: '2026-11-21T08:00:00Z', status: 200 }],
  createdOn: '2026-11-21T08:00:00Z',
};

describe('lines of npm start: a webhook', () => {
  it('has the id of the delivery, the status and the id of the entity, and nothing else of the body', () => {
    expect(webhookLine(delivery)?.text).toBe('dlv-7  TRANSFER_NOTIFICATION  PROCESSED  t-1  answered 200');
  });

  it('is not printed before the first answer, and has no body that is not JSON', () => {
    expect(webhookLine({ ...delivery, outcome: 'sending' })).toBeUndefined();
    expect(webhookLine({ ...delivery, body: Buffer.from('CANARY') })?.text).not.toContain('CANARY');
  });
});

describe('lines of npm start: a decision', () => {
  const log = (fields: object) => decisionLine('store', JSON.stringify(fields))?.text;

  it('has the outcome and the id to look up', () => {
    expect(log({ level: 'INFO', message: 'event applied', outcome: 'stored', eventId: 'e-1', deliveryId: 'd' })).toBe(
      'store  event applied  stored  e-1',
    );
  });
});

describe('lines of npm start: events on the bus', () => {
  it('has one line per event, with what changed and its id', () => {
    const entry = (DetailType: string, detail: object) => ({ DetailType, Detail: JSON.stringify(detail), Source: 's' });
    const Entries = [
      entry('OrderStatusChanged', { kind: 'order', id: 'o-1', status: 'FILLED', eventId: 'e' }),
      entry('OnboardingProgressed', { onboardingId: 'b-1', step: 'CREATED' }),
      entry('EventReceived', { eventId: 'e-1\u001b[2J' }),
    ];
    expect(busLines({ Entries }).map(({ text }) => text)).toEqual([
      'OrderStatusChanged  FILLED  order  o-1',
      'OnboardingProgressed  CREATED  b-1',
      'EventReceived  e-1\\u001b[2J',
    ]);
  });
});
