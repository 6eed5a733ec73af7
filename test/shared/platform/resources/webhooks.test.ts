import { describe, expect, it } from 'vitest';
import { PlatformHttpError, PlatformInputError, PlatformSchemaError } from '#shared/platform/client/errors.ts';
import { isKnownWord } from '#shared/platform/fields/received.ts';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import {
  listUndeliveredWebhooks,
  markWebhooksDelivered,
  readUndeliveredPage,
} from '#shared/platform/resources/undelivered-webhooks.ts';
import {
  deleteWebhook,
  getWebhook,
  listMissingWebhooks,
  listWebhooks,
  registerWebhook,
  type WebhookData,
} from '#shared/platform/resources/webhooks.ts';
import { destroy, empty, inTurn, json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import { all, createTestClient, errorOf, otherId, saidBy } from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();

const client = () => createTestClient(server.baseUrl, { profile: { sentFields: { hasAsciiHeaders: true } } }).client;
const createdOn = '2026-01-02T03:04:05.123456789Z';
const webhook = {
  createdOn,
  modifiedOn: createdOn,
  eventType: 'TRANSFER_NOTIFICATION',
  url: 'https://partner.example',
};
const data: WebhookData = {
  eventType: 'TRANSFER_NOTIFICATION',
  url: 'https://partner.example/webhooks/transfer',
  headers: [{ name: 'X-Secret', value: 'canary secret!' }],
};

describe('section 2.1: a webhook is registered', () => {
  it('sends type, url and headers, and no Requestor-ID', async () => {
    server.answerWith(empty(200));
    await registerWebhook(client(), data);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/webhooks' });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(data);
    expect(server.requests[0]?.headers).not.toHaveProperty('requestor-id');
  });

  it('retries a registration, which replaces the existing webhook', async () => {
    server.answerWith(inTurn(empty(503), empty(200)));
    await registerWebhook(client(), data);
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['of an event type that came later', { eventType: 'NEW_NOTIFICATION' }],
    ['with a header of every character that a name may have', { headers: [{ name: "a!#$%&'*+.^_`|~-0Z", value: '' }] }],
    ['with a url in capitals', { url: 'HTTPS://PARTNER.EXAMPLE/x' }],
  ])('accepts a registration %s', async (_, change) => {
    server.answerWith(empty(200));
    await registerWebhook(client(), { ...data, ...change });
    expect(server.requests).toHaveLength(1);
  });

  const at = (name: string, value: string) => ({
    headers: [
      { name: 'X-0', value: 'canary' },
      { name, value },
    ],
  });
  it.each([
    ['eventType', { eventType: 'canary' }],
    ['eventType', { eventType: '' }],
    ['url', { url: 'http://canary.example' }],
    ['headers.1.name', at('canary:', 'a')],
    ['headers.1.name', at('cänary', 'a')],
    ['headers.1.value', at('a', 'canary\r\nx: y')],
    ['headers.1.value', at('a', 'canary\n')],
    ['headers.1.value', at('a', 'canary\r')],
    ['headers.1.value', at('a', 'canary\u0000')],
    ['headers.1.value', at('a', 'cänary')],
    ['createdOn', { createdOn }],
  ])('refuses a wrong %s without quoting it: %j', async (field, change) => {
    server.answerWith(empty(200));
    const error = await errorOf(PlatformInputError, registerWebhook(client(), { ...data, ...change }));
    expect(error.problems).toEqual([expect.stringMatching(/ \(section 2\.1\)$/)]);
    expect(error.problems[0]?.startsWith(`${field}: `)).toBe(true);
    expect(saidBy(error)).not.toMatch(/c[aä]nary/);
    expect(server.requests).toHaveLength(0);
  });
});

describe('section 2.1: a url, which is HTTPS except on one machine with the platform', () => {
  const local = { ...data, url: 'http://127.0.0.1:1/webhooks/TRANSFER_NOTIFICATION' };

  it('accepts plain HTTP when the platform is on the same machine', async () => {
    server.answerWith(empty(200));
    await registerWebhook(client(), local);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual(local);
  });

  it.each(['https://platform.example', 'http://platform.example', 'http://localhost.platform.example', 'nonsense'])(
    'refuses plain HTTP for the platform at %s',
    async (baseUrl) => {
      const calls: unknown[] = [];
      const { client: remote } = createTestClient(baseUrl, {
        fetch: async (...call) => {
          calls.push(call);
          return { status: 200, headers: new Headers(), bytes: async () => new Uint8Array() };
        },
      });
      const error = await errorOf(PlatformInputError, registerWebhook(remote, local));
      expect(error.problems).toEqual(['url: must be HTTPS, and encoded (section 2.1)']);
      expect(calls).toEqual([]);
      await registerWebhook(remote, data);
      expect(calls).toHaveLength(1);
    },
  );
});

describe('section 2.1: webhooks are listed, read and removed', () => {
  it('lists a bare array, with unknown types and fields', async () => {
    const list = [
      webhook,
      { ...webhook, eventType: 'NEW_NOTIFICATION', headers: [{ name: 'a', value: 'b', c: 1 }], more: 1 },
    ];
    server.answerWith(json(200, list));
    const received = await all(listWebhooks(client()));
    expect(received).toEqual(list);
    expect(received.map(({ eventType }) => isKnownWord(eventTypes, eventType))).toEqual([true, false]);
    expect(server.requests[0]?.headers).not.toHaveProperty('requestor-id');
  });

  it('reads a webhook by its event type, or undefined', async () => {
    server.answerWith(inTurn(json(200, { ...webhook, headers: null, modifiedOn: null }), json(404, {}), json(403, {})));
    expect(await getWebhook(client(), 'TRANSFER_NOTIFICATION')).toMatchObject({ url: webhook.url });
    expect(await getWebhook(client(), 'TRANSFER_NOTIFICATION')).toBeUndefined();
    await errorOf(PlatformHttpError, getWebhook(client(), 'TRANSFER_NOTIFICATION'));
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/webhooks/TRANSFER_NOTIFICATION' });
  });

  it('deletes a webhook by its event type, also after a lost answer', async () => {
    server.answerWith(inTurn(destroy, json(404, {}), empty(200), json(403, {})));
    await deleteWebhook(client(), 'TRANSFER_NOTIFICATION');
    await deleteWebhook(client(), 'TRANSFER_NOTIFICATION');
    await errorOf(PlatformHttpError, deleteWebhook(client(), 'TRANSFER_NOTIFICATION'));
    expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: '/webhooks/TRANSFER_NOTIFICATION' });
  });

  it.each(['', '..', 'a/b', 'transfer'])('sends nothing for the event type %j', async (type) => {
    server.answerWith(empty(200));
    for (const call of [getWebhook, deleteWebhook]) {
      const error = await errorOf(PlatformInputError, call(client(), type));
      expect(error.problems).toEqual([expect.stringMatching(/^eventType: .* \(section 2\.1\)$/)]);
    }
    expect(server.requests).toHaveLength(0);
  });

  it('lists the event types without a webhook', async () => {
    server.answerWith(json(200, [{ eventType: 'RE_TOKEN_PRICES' }, { eventType: 'NEW', more: 1 }]));
    expect(await listMissingWebhooks(client())).toEqual(['RE_TOKEN_PRICES', 'NEW']);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/webhooks-missing' });
  });
});

describe('section 2.2: undelivered webhooks', () => {
  const record = { id: otherId, webhook, body: '{"a":1}', errorMessage: 'x', createdOn, modifiedOn: createdOn };

  it('accepts records without the fields that no code needs', async () => {
    const { errorMessage: _, modifiedOn: __, ...rest } = { ...record, webhook: { ...webhook, headers: null } };
    server.answerWith(json(200, { data: [rest, { ...rest, errorMessage: null, more: 1 }], pagination: {} }));
    expect(await all(listUndeliveredWebhooks(client()))).toHaveLength(2);
  });

  it('lists malformed records unchanged to a caller that asks for them', async () => {
    const list = [record, { id: 7 }, null, 'x'];
    server.answerWith(json(200, { data: list, pagination: { cursor: '', limit: 20 } }));
    const { items, next } = await readUndeliveredPage(client());
    expect(items.map(({ value }) => value)).toEqual(list);
    expect(items.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()))).toEqual(list);
    expect(next).toBeUndefined();
    await errorOf(PlatformSchemaError, all(listUndeliveredWebhooks(client())));
  });

  it('marks the records up to an id, and retries after a failure', async () => {
    server.answerWith(inTurn(empty(500), empty(204)));
    await markWebhooksDelivered(client(), otherId);
    expect(server.requests).toHaveLength(2);
    expect(server.requests[1]).toMatchObject({
      method: 'POST',
      url: '/webhooks-undelivered/mark-delivered',
      body: JSON.stringify({ undeliveredWebhookId: otherId }),
    });
    expect(server.requests[1]?.headers).not.toHaveProperty('requestor-id');
    await errorOf(PlatformInputError, markWebhooksDelivered(client(), 'x'));
  });
});

describe('section 4.3: the paths of the profile', () => {
  it('calls each webhook operation at the path of the profile', async () => {
    const webhookPaths = { webhooks: '/w', missing: '/m', undelivered: '/u', markDelivered: '/d' };
    const { client: other } = createTestClient(server.baseUrl, { profile: { webhookPaths, pageSize: 50 } });
    server.answerWith(json(200, []));
    await all(listWebhooks(other));
    await registerWebhook(other, data);
    await deleteWebhook(other, 'A');
    await listMissingWebhooks(other);
    await all(listUndeliveredWebhooks(other));
    await markWebhooksDelivered(other, otherId);
    expect(server.requests.map(({ url }) => url)).toEqual(['/w?limit=50', '/w', '/w/A', '/m', '/u?limit=50', '/d']);
  });
});
