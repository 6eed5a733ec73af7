import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';
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
const bodies = () => partner.received.map(({ body }) => body.toString());

describe('section 6: notifications are sent to the registered url, with the registered headers', () => {
  it('as a POST of application/json', async () => {
    expect(await deliver('{"orderId":"7"}')).toEqual({ outcome: 'delivered', status: 200 });
    expect(partner.received).toHaveLength(1);
    expect(partner.received[0]).toMatchObject({
      path: '/hooks/orders',
      headers: { 'x-secret': 'abc', 'x-tenant': 'seven', 'content-type': 'application/json' },
    });
  });

  it('with a header that is registered twice as both, and a registered Content-Type as it is', async () => {
    await register({
      headers: [
        { name: 'x-many', value: 'a' },
        { name: 'X-Many', value: 'b' },
        { name: 'Content-Type', value: 'application/json; charset=utf-8' },
      ],
    });
    await deliver('{}');
    expect(partner.received[0]?.headers).toMatchObject({
      'x-many': 'a, b',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it.each([
    ['text as it is written', Buffer.from('{ "name" : "Grün",\n"n":1.0 }')],
    ['what is no UTF-8', Buffer.from([0x7b, 0xff, 0x00, 0x7d])],
    ['nothing', Buffer.alloc(0)],
  ])('with exactly the bytes given: %s', async (_, body) => {
    await deliver(body);
    expect(partner.received[0]?.body).toEqual(body);
  });

  it('but not those of a type that nobody has registered', async () => {
    expect(await platform.deliveries.deliver('PROXY_NOTIFICATION', Buffer.from('{}'))).toEqual({
      outcome: 'unregistered',
    });
    platform.deliveries.notify('PROXY_NOTIFICATION', {});
    expect(partner.received).toEqual([]);
    expect(platform.deliveries.waiting()).toBe(0);
  });

  it.each([200, 201, 202, 204])('%i is taken for done', async (status) => {
    partner.answer = status;
    expect(await deliver('{}')).toEqual({ outcome: 'delivered', status });
    expect(await undelivered()).toEqual([]);
  });
});

describe('section 6: deliveries that fail are stored as UndeliveredWebhook records', () => {
  beforeEach(() => change({ deliveryRetriesAfter: [] }));

  it.each([
    ['400', 400, 'The webhook was answered with 400.'],
    ['503', 503, 'The webhook was answered with 503.'],
    ['a redirection, which is not followed', 302, 'The webhook was answered with 302.'],
    ['a broken connection', 'none' as const, 'The webhook was not answered: UND_ERR_SOCKET.'],
  ])('answered with %s', async (_, answer, errorMessage) => {
    partner.answer = answer;
    expect(await deliver('{"orderId":"7"}')).toEqual({ outcome: 'undelivered', errorMessage });
    const { body: webhook } = await platform.send('GET', `/webhooks/${eventType}`);
    expect(await undelivered()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        webhook,
        body: '{"orderId":"7"}',
        errorMessage,
        createdOn: '2026-11-21T08:00:00.000000001Z',
        modifiedOn: '2026-11-21T08:00:00.000000001Z',
      },
    ]);
    expect(partner.received).toHaveLength(1);
  });

  it('answered by nobody, since nobody listens there', async () => {
    await partner.close();
    expect(await deliver('{}')).toEqual({
      outcome: 'undelivered',
      errorMessage: 'The webhook was not answered: ECONNREFUSED.',
    });
  });

  it('not answered in the time of the setting deliveryTimeout', async () => {
    change({ deliveryTimeout: 0.0501 });
    partner.answer = 'never';
    expect(await deliver('{}')).toMatchObject({ errorMessage: 'The webhook was not answered: TimeoutError.' });
  });

  it('with headers that no HTTP client sends', async () => {
    await register({ headers: [{ name: 'Transfer-Encoding', value: 'gzip' }] });
    expect(await deliver('{}')).toMatchObject({ outcome: 'undelivered' });
    expect(await undelivered()).toHaveLength(1);
  });
});

describe('section 6, retry schedule not shown: a delivery is tried again after the seconds of deliveryRetriesAfter', () => {
  beforeEach(() => {
    partner.answer = 503;
  });

  it('at those times by the clock, and is undelivered after the last, with its error', async () => {
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

  it('and is no undelivered webhook when one of them is answered', async () => {
    platform.deliveries.notify(eventType, { orderId: '7' });
    await platform.clock.advance(0);
    partner.answer = 200;
    await platform.clock.advance(60);
    expect(bodies()).toEqual(['{"orderId":"7"}', '{"orderId":"7"}']);
    expect(await undelivered()).toEqual([]);
  });

  it('with the url and headers of the first attempt, even when the webhook is registered anew or removed', async () => {
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

  it('each on its own: one that waits for its next attempt does not hold up others', async () => {
    platform.deliveries.notify(eventType, { orderId: '1' });
    await platform.clock.advance(0);
    partner.answer = 200;
    platform.deliveries.notify(eventType, { orderId: '2' });
    await platform.clock.advance(0);
    expect(bodies()).toEqual(['{"orderId":"1"}', '{"orderId":"2"}']);
    expect(platform.deliveries.waiting()).toBe(1);
  });

  it('while the clock runs, too', async () => {
    change({ deliveryRetriesAfter: [0.01] });
    platform.clock.resume();
    expect(await deliver('{}')).toMatchObject({ outcome: 'undelivered' });
    expect(partner.received).toHaveLength(2);
    platform.close();
  });
});

describe('a slow partner', () => {
  it('is waited for before time is moved on; what it is told meanwhile comes, too', async () => {
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    partner.onReceived = ({ body }) => (body.toString().includes('slow') ? isAnswered : undefined);
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

describe('POST /control/notifications delivers a body', () => {
  const send = (body: unknown) => platform.request('POST', '/control/notifications', { body });

  it('as it is, and answers what became of it', async () => {
    expect(await send({ eventType, body: '{"a":1' })).toEqual({
      status: 200,
      body: { outcome: 'delivered', status: 200 },
    });
    expect(bodies()).toEqual(['{"a":1']);
  });

  it('answers after the first attempt where it will be tried again', async () => {
    partner.answer = 503;
    expect((await send({ eventType, body: '{}' })).body).toEqual({ outcome: 'retrying' });
    await platform.clock.advance(6);
    expect(partner.received).toHaveLength(3);
  });

  it('and where it will not', async () => {
    partner.answer = 503;
    change({ deliveryRetriesAfter: [] });
    const errorMessage = 'The webhook was answered with 503.';
    expect((await send({ eventType, body: '{}' })).body).toEqual({ outcome: 'undelivered', errorMessage });
  });

  it('to nobody, where nobody has registered', async () => {
    expect((await send({ eventType: 'WEATHER_NOTIFICATION', body: '{}' })).body).toEqual({ outcome: 'unregistered' });
  });

  it.each(['{', '{}', `{"eventType":"${eventType}","body":{}}`])('and refuses what is none: %s', async (body) => {
    expect(await send(body)).toEqual(refusal(400, 'BAD_REQUEST', expect.any(String)));
    expect(partner.received).toEqual([]);
  });
});
