import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listen, readBody } from '#sandbox/server.ts';
import { type Platform, refusal, startPlatform } from './platform-fixture.ts';

type Received = { readonly path: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

let received: Received[];
let answerStatus: number | 'none';
let partner: Listening;
beforeAll(async () => {
  partner = await listen(async (request, response) => {
    received.push({ path: request.url, headers: request.headers, body: await readBody(request) });
    if (answerStatus === 'none') response.destroy();
    else response.writeHead(answerStatus).end('thank you');
  });
});
afterAll(() => partner.close());

const eventType = 'ORDER_NOTIFICATION';
let platform: Platform;
beforeEach(async () => {
  received = [];
  answerStatus = 200;
  platform = startPlatform();
  await platform.send('POST', '/webhooks', {
    eventType,
    url: `${partner.origin}/hooks/orders`,
    headers: [
      { name: 'X-Secret', value: 'abc' },
      { name: 'X-Tenant', value: 'seven' },
    ],
  });
});

const notify = (body: string | Uint8Array) => platform.deliveries.notify(eventType, Buffer.from(body));
const undelivered = (query = '') => platform.send('GET', `/webhooks-undelivered${query}`);

describe('a delivery', () => {
  it('goes to the registered URL with the registered headers', async () => {
    expect(await notify('{"orderId":"7"}')).toEqual({ outcome: 'delivered', status: 200 });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      path: '/hooks/orders',
      headers: { 'x-secret': 'abc', 'x-tenant': 'seven', 'content-type': 'application/json' },
    });
  });

  it.each([
    ['text as it is written', Buffer.from('{ "name" : "Grün",\n"n":1.0 }')],
    ['what is no UTF-8', Buffer.from([0x7b, 0xff, 0x00, 0x7d])],
    ['nothing', Buffer.alloc(0)],
  ])('carries exactly the bytes given: %s', async (_, body) => {
    await notify(body);
    expect(received[0]?.body).toEqual(body);
  });

  it('is not made for a type that nobody has registered', async () => {
    expect(await platform.deliveries.notify('PROXY_NOTIFICATION', Buffer.from('{}'))).toEqual({
      outcome: 'unregistered',
    });
    expect(received).toEqual([]);
  });

  it.each([200, 201, 202, 204])('is done when it is answered with %i', async (status) => {
    answerStatus = status;
    expect(await notify('{}')).toEqual({ outcome: 'delivered', status });
    expect((await undelivered()).body).toMatchObject({ data: [] });
  });
});

describe('a delivery that fails', () => {
  it.each([
    ['400', 400, 'The webhook was answered with 400.'],
    ['503', 503, 'The webhook was answered with 503.'],
    ['no answer', 'none' as const, 'The webhook was not answered: TypeError.'],
  ])('is kept as undelivered: %s', async (_, status, errorMessage) => {
    answerStatus = status;
    expect(await notify('{"orderId":"7"}')).toEqual({ outcome: 'undelivered', errorMessage });
    const { body: webhook } = await platform.send('GET', `/webhooks/${eventType}`);
    expect(await undelivered()).toEqual({
      status: 200,
      body: {
        data: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            webhook,
            body: '{"orderId":"7"}',
            errorMessage,
            createdOn: '2026-11-21T08:00:00.000Z',
            modifiedOn: '2026-11-21T08:00:00.000Z',
          },
        ],
        pagination: { cursor: '', limit: 20 },
      },
    });
  });
});

describe('a notification over the control of the sandbox', () => {
  it('is delivered, and its outcome is answered', async () => {
    const answer = await platform.send('POST', '/control/notifications', { eventType, body: '{"a":1}' });
    expect(answer).toEqual({ status: 200, body: { outcome: 'delivered', status: 200 } });
    expect(received[0]?.body.toString()).toBe('{"a":1}');
  });

  it.each(['{', '{}', '{"eventType":"ORDER_NOTIFICATION","body":{}}'])(
    'is refused where it is none: %s',
    async (body) => {
      expect(await platform.send('POST', '/control/notifications', body)).toEqual(
        refusal(400, 'BAD_REQUEST', expect.any(String)),
      );
      expect(received).toEqual([]);
    },
  );
});
