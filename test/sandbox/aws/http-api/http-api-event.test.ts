import { request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createHttpApiEvent } from '#sandbox/aws/http-api/http-api-event.ts';
import { matchRoute, parseRoute } from '#sandbox/aws/http-api/http-route.ts';
import { type Listening, listen, readBody } from '#sandbox/net/server.ts';

type Sent = {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
};

const routes = [parseRoute('POST /webhooks/{eventType}'), parseRoute('$default')];
let server: Listening;
beforeAll(async () => {
  server = await listen(async (request, response) => {
    const body = await readBody(request);
    const match = matchRoute(routes, request.method ?? '', (request.url ?? '').split('?', 1)[0] ?? '');
    if (match === undefined) return response.destroy();
    const time = new Date('2026-03-02T19:03:58.390Z');
    const event = createHttpApiEvent({ request, body, match, time, requestId: 'request-1', apiId: 'api-1' });
    return response.end(JSON.stringify(event));
  });
});
afterAll(() => server.close());

const httpApiEvent = z.looseObject({
  rawPath: z.string(),
  rawQueryString: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  isBase64Encoded: z.boolean(),
});

/** The event of a POST that is sent as it stands here, with nothing made nicer by a client. */
function eventOf({ path = '/webhooks/A', headers = {}, body = '' }: Sent): Promise<z.infer<typeof httpApiEvent>> {
  return new Promise((resolve, reject) => {
    const { port, hostname } = new URL(server.origin);
    const outgoing = send({ port, hostname, path, method: 'POST', headers }, async (incoming) => {
      const chunks = await incoming.toArray();
      resolve(httpApiEvent.parse(JSON.parse(Buffer.concat(chunks).toString())));
    });
    outgoing.on('error', reject).end(body);
  });
}

describe('sandbox aws: the event of an HTTP request', () => {
  it('has the fields of payload format 2.0', async () => {
    const headers = { 'content-type': 'application/json', 'user-agent': 'platform/1', 'X-Secret': 'abc' };
    const path = '/webhooks/ORDER?attempt=1&attempt=2&from=a%20b';
    expect(await eventOf({ path, headers, body: '{"a":1}' })).toEqual({
      version: '2.0',
      routeKey: 'POST /webhooks/{eventType}',
      rawPath: '/webhooks/ORDER',
      rawQueryString: 'attempt=1&attempt=2&from=a%20b',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'platform/1',
        'x-secret': 'abc',
        host: new URL(server.origin).host,
        connection: 'keep-alive',
        'content-length': '7',
      },
      queryStringParameters: { attempt: '1,2', from: 'a b' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'api-1',
        domainName: new URL(server.origin).host,
        domainPrefix: 'api-1',
        http: {
          method: 'POST',
          path: '/webhooks/ORDER',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: 'platform/1',
        },
        requestId: 'request-1',
        routeKey: 'POST /webhooks/{eventType}',
        stage: '$default',
        time: '02/Mar/2026:19:03:58 +0000',
        timeEpoch: 1_772_478_238_390,
      },
      pathParameters: { eventType: 'ORDER' },
      body: '{"a":1}',
      isBase64Encoded: false,
    });
  });

  it.each(['//', '//elsewhere/a', '/a/../b', '/a%2Fb', '/a?b?c=1'])('contains the path as sent: %s', async (path) => {
    const { rawPath, rawQueryString } = await eventOf({ path });
    expect(rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`).toBe(path);
  });
});

describe('sandbox aws: the body in the event of an HTTP request', () => {
  const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d]);

  it.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/xml'])(
    'is text for the content type %s',
    async (contentType) => {
      const body = '{"name":"Grün 🏦"}';
      expect(await eventOf({ headers: { 'content-type': contentType }, body })).toMatchObject({
        body,
        isBase64Encoded: false,
      });
    },
  );

  it.each(['application/octet-stream', 'application/x-www-form-urlencoded', 'image/png'])(
    'is Base64 for the content type %s',
    async (contentType) => {
      expect(await eventOf({ headers: { 'content-type': contentType }, body: '{}' })).toMatchObject({
        body: 'e30=',
        isBase64Encoded: true,
      });
    },
  );

  it('is Base64 when the bytes are not valid text', async () => {
    const event = await eventOf({ headers: { 'content-type': 'application/json' }, body: notUtf8 });
    expect(event.isBase64Encoded).toBe(true);
    expect(Buffer.from(event.body ?? '', 'base64')).toEqual(notUtf8);
  });
});
