import { describe, expect, it } from 'vitest';
import { createDeliveryLog, type LoggedDelivery } from '#sandbox/platform/webhooks/delivery-log.ts';
import { watchDeliveries } from '#sandbox/scenario/common/delivery-watch.ts';

type Sent = readonly [eventType: string, body: string, outcome: LoggedDelivery['outcome']];

/** The events of the recorded webhooks, after these deliveries. */
function eventsAfter(deliveries: readonly Sent[]): readonly number[] {
  const log = createDeliveryLog();
  const watch = watchDeliveries(log);
  for (const [eventType, text, outcome] of deliveries) {
    const common = { eventType, cause: 'PLATFORM', body: Buffer.from(text), attempts: [], createdOn: '' } as const;
    const added = log.add((number) => ({ number, ...common, outcome: 'sending' }));
    log.update({ ...added, outcome });
  }
  return watch.sent().map(({ notification }) => notification.event);
}

describe('sandbox scenario: watchDeliveries', () => {
  it('records each delivery that ends, with or without a 2xx answer', () => {
    const deliveries: readonly Sent[] = [
      ['A', '{"id":1}', 'delivered'],
      ['A', '{"id":2}', 'undelivered'],
      ['A', '{"id":3}', 'retrying'],
      ['A', '{"id":4}', 'unregistered'],
    ];
    expect(eventsAfter(deliveries)).toEqual([0, 1]);
  });

  it('takes equal content in another notation for the same event, and another type for another', () => {
    const deliveries: readonly Sent[] = [
      ['A', '{"id":1,"status":"X"}', 'delivered'],
      ['A', '{ "status": "X", "id": 1 }', 'delivered'],
      ['B', '{"id":1,"status":"X"}', 'delivered'],
      ['A', 'no JSON', 'delivered'],
      ['A', 'no JSON', 'delivered'],
    ];
    expect(eventsAfter(deliveries)).toEqual([0, 0, 1, 2, 2]);
  });
});
