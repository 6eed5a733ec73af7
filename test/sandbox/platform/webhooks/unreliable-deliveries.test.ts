import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';
import { type Partner, startPartner } from './partner.ts';

const eventType = 'TRANSFER_NOTIFICATION';

let partner: Partner;
let platform: TestPlatform;
beforeEach(async () => {
  partner = await startPartner();
  platform = startPlatform();
  await platform.send('POST', '/webhooks', { eventType, url: partner.origin });
});
afterEach(async () => {
  await partner.close();
  expect(platform.errors).toEqual([]);
});

const change = (settings: object) => platform.request('PATCH', '/control/settings', { body: settings });
const notify = (...numbers: readonly number[]) => {
  for (const number of numbers) platform.deliveries.notify(eventType, { number });
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const received = () => partner.received.map(({ body }) => Number(body['number']));

/** One after another, each answered before the next is sent. */
async function notifyInTurn(count: number): Promise<void> {
  for (const number of upTo(count)) {
    notify(number);
    await platform.clock.advance(0);
  }
}

describe('sandbox platform: setting deliveriesDuplicated', () => {
  it('duplicates a share of the deliveries, the same ones for the same seed', async () => {
    await change({ deliveriesDuplicated: 0.3 });
    await notifyInTurn(40);
    const first = received();
    expect(new Set(first).size).toBe(40);
    expect(first.length).toBeGreaterThan(45);
    expect(first.length).toBeLessThan(60);
    platform = startPlatform();
    partner.received.length = 0;
    await platform.send('POST', '/webhooks', { eventType, url: partner.origin });
    await change({ deliveriesDuplicated: 0.3 });
    await notifyInTurn(40);
    expect(received()).toEqual(first);
  });
});

describe('sandbox platform: setting deliveriesLost', () => {
  it('sends no lost delivery, keeps none as undelivered, and counts them', async () => {
    await change({ deliveriesLost: 1, deliveriesDuplicated: 1 });
    await notifyInTurn(3);
    expect(received()).toEqual([]);
    expect(platform.deliveries.waiting()).toBe(0);
    expect(platform.undelivered.count()).toBe(0);
    expect(platform.deliveries.lost()).toBe(3);
  });
});

describe('sandbox platform: setting deliveriesDelayed', () => {
  it('delays each delivery by another time, up to deliveryDelay', async () => {
    await change({ deliveriesDelayed: 1, deliveryDelay: 600 });
    notify(...upTo(20));
    await platform.clock.advance(0);
    expect(received()).toEqual([]);
    expect(platform.deliveries.waiting()).toBe(20);
    await platform.clock.advance(300);
    expect(received().length).toBeGreaterThan(3);
    expect(received().length).toBeLessThan(17);
    await platform.clock.advance(300);
    expect(received().toSorted((one, other) => one - other)).toEqual(upTo(20));
    expect(received()).not.toEqual(upTo(20));
    expect(platform.deliveries.waiting()).toBe(0);
  });
});

describe('sandbox platform: setting deliveriesReordered', () => {
  it('swaps two deliveries each', async () => {
    await change({ deliveriesReordered: 1 });
    await notifyInTurn(4);
    expect(received()).toEqual([2, 1, 4, 3]);
  });

  it('sends the held delivery after deliveryDelay when no other follows', async () => {
    await change({ deliveriesReordered: 1, deliveryDelay: 30 });
    notify(1);
    await platform.clock.advance(29.999);
    expect(received()).toEqual([]);
    expect(platform.deliveries.waiting()).toBe(1);
    await platform.clock.advance(0.001);
    expect(received()).toEqual([1]);
    expect(platform.deliveries.waiting()).toBe(0);
  });
});

describe('sandbox platform: all settings for unreliable deliveries together', () => {
  it('loses only deliveries that deliveriesLost selects', async () => {
    await change({ deliveriesDuplicated: 0.3, deliveriesDelayed: 0.3, deliveriesReordered: 0.5 });
    for (const number of upTo(100)) {
      notify(number);
      await platform.clock.advance(number % 7);
    }
    await platform.clock.advance(60);
    expect([...new Set(received())].toSorted((one, other) => one - other)).toEqual(upTo(100));
    expect(platform.deliveries.waiting()).toBe(0);
  });
});
