import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';
import { type Partner, startPartner } from './partner.ts';

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const headers = [
  { name: 'X-Secret', value: 'abc' },
  { name: 'X-Tenant', value: 'seven' },
];

let partner: Partner;
let platform: TestPlatform;
beforeEach(async () => {
  partner = await startPartner();
  platform = startPlatform();
  await register({ headers });
});
afterEach(async () => {
  await partner.close();
  expect(platform.errors).toEqual([]);
});

const register = (webhook: object = {}) =>
  platform.send('POST', '/webhooks', { eventType, url: `${partner.origin}/hooks/orders`, ...webhook });
const deliver = (body: string | Uint8Array) => platform.deliveries.deliver(eventType, Buffer.from(body));
const change = (settings: object) => platform.settings.change(settings);
const undelivered = async () => ((await platform.send('GET', '/webhooks-undelivered')).body as { data: object[] }).data;

describe('sandbox platform: notifications go to the registered url with the registered headers (section 6)', () => {
  it.each([
    ['text as it is written', Buffer.from('{ "name" : "Grün",\n"n":1.0 }')],
    ['what is no UTF-8', Buffer.from([0x7b, 0xff, 0x00, 0x7d])],
    ['nothing', Buffer.alloc(0)],
  ])('sends the given bytes: %s', async (_, body) => {
    await deliver(body);
    expect(partner.received[0]?.bytes).toEqual(body);
  });
});

describe('sandbox platform: failed deliveries become undelivered webhooks (section 6)', () => {
  beforeEach(() => change({ deliveryRetriesAfter: [] }));

  it.each([
    ['a redirection, which is not followed', 302, 'The webhook was answered with 302.'],
    ['a broken connection', 'none' as const, 'The webhook was not answered: UND_ERR_SOCKET.'],
  ])('reports a delivery as undelivered that was answered with %s', async (_, answer, errorMessage) => {
    partner.answer = answer;
    expect(await deliver('{"orderId":"7"}')).toEqual({ outcome: 'undelivered', errorMessage });
    expect(partner.received).toHaveLength(1);
  });

  it('keeps a delivery that is not answered within deliveryTimeout', async () => {
    change({ deliveryTimeout: 0.0501 });
    partner.answer = 'never';
    expect(await deliver('{}')).toMatchObject({ errorMessage: 'The webhook was not answered: TimeoutError.' });
  });
});

describe('sandbox platform: retries of a delivery (setting deliveryRetriesAfter)', () => {
  beforeEach(() => {
    partner.answer = 503;
  });

  it('retries at the configured times, then keeps the webhook as undelivered with its error', async () => {
    change({ deliveryRetriesAfter: [1, 5, 60] });
    platform.deliveries.notify(eventType, { orderId: '7' });
    const seen: number[] = [];
    for (const seconds of [0, 0.999, 0.001, 4.999, 0.001, 59.999]) {
      await platform.clock.advance(seconds);
      seen.push(partner.received.length);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
    expect(await undelivered()).toEqual([]);
    expect(platform.deliveries.waiting()).toBe(1);
    partner.answer = 'none';
    await platform.clock.advance(0.001);
    expect(partner.received).toHaveLength(4);
    expect(await undelivered()).toMatchObject([{ errorMessage: 'The webhook was not answered: UND_ERR_SOCKET.' }]);
    expect(platform.deliveries.waiting()).toBe(0);
  });

  it('retries with the url and headers of the first attempt, even after a new registration', async () => {
    platform.deliveries.notify(eventType, { orderId: '7' });
    await platform.clock.advance(0);
    const { body: webhook } = await platform.send('GET', `/webhooks/${eventType}`);
    await register({ url: `${partner.origin}/elsewhere`, headers: [] });
    await platform.clock.advance(1);
    await platform.send('DELETE', `/webhooks/${eventType}`);
    await platform.clock.advance(5);
    expect(partner.received.map(({ path }) => path)).toEqual(['/hooks/orders', '/hooks/orders', '/hooks/orders']);
    expect(partner.received.at(-1)?.headers).toMatchObject({ 'x-secret': 'abc' });
    expect(await undelivered()).toMatchObject([{ webhook }]);
  });
});

describe('sandbox platform: a slow partner', () => {
  it('waits for the partner before the clock advances, and delivers what is sent meanwhile', async () => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    partner.onReceived = ({ text }) => (text.includes('slow') ? isAnswered : undefined);
    platform.deliveries.notify(eventType, { orderId: 'slow' });
    let isAdvanced = false;
    const advanced = platform.clock.advance(3_600).then(() => {
      isAdvanced = true;
    });
    await expect.poll(() => partner.received.length).toBe(1);
    platform.deliveries.notify(eventType, { orderId: 'quick' });
    await expect.poll(() => partner.received.length).toBe(2);
    expect(isAdvanced).toBe(false);
    expect(platform.clock.now()).toEqual(new Date('2026-11-21T08:00:00Z'));
    answer();
    await advanced;
    expect(platform.clock.now()).toEqual(new Date('2026-11-21T09:00:00Z'));
    expect(await undelivered()).toEqual([]);
  });
});
