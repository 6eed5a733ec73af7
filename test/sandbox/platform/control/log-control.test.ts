import { beforeEach, describe, expect, it } from 'vitest';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'TRANSFER_NOTIFICATION';
const webhook = {
  eventType,
  url: 'https://partner.example/hook',
  headers: [{ name: 'X-Secret', value: 'CANARY"\\é' }],
};

let platform: TestPlatform;
let sent: string[];
let statuses: number[];
beforeEach(() => {
  sent = [];
  statuses = [];
  const answer: typeof fetch = async (_, init) => {
    sent.push(String(init?.body));
    return new Response(null, { status: statuses.shift() ?? 200 });
  };
  // Header values of Latin-1 are masked, too.
  platform = startPlatform({ fetch: answer, settings: { sentFields: {} } });
});

type Listed = { readonly data: readonly Readonly<Record<string, unknown>>[] };

const list = async (path: string) => ((await platform.request('GET', path)).body as Listed).data;

describe('sandbox platform: the log of requests', () => {
  it('lists each call with its answer, newest first, and no call of the control API', async () => {
    const requestorId = '11111111-1111-4111-8111-111111111111';
    await platform.send('POST', '/entities/natural-persons?a=b', { firstName: 'Ada' });
    await platform.send('GET', '/traditional/assets', undefined, { 'requestor-id': requestorId });
    await platform.request('GET', '/nothing');
    expect(await list('/control/requests')).toMatchObject([
      { requestId: 'req-3', path: '/nothing', status: 401 },
      { requestId: 'req-2', operation: 'listAssets', status: 400, requestorId },
      {
        requestId: 'req-1',
        method: 'POST',
        path: '/entities/natural-persons',
        query: '?a=b',
        operation: 'createNaturalPerson',
        status: 400,
        body: '{"firstName":"Ada"}',
        answer: expect.stringContaining('lastName'),
        startedOn: '2026-11-21T08:00:00.000Z',
      },
    ]);
  });

  it('keeps no token, no credentials and no header value of a webhook', async () => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'sandbox',
      client_secret: 'CANARY',
    });
    await platform.request('POST', '/oauth2/token', { body: form });
    await platform.send('POST', '/webhooks', webhook);
    await platform.send('GET', '/webhooks');
    const requests = await list('/control/requests');
    expect(requests.map(({ operation }) => operation)).toEqual(['listWebhooks', 'registerWebhook', 'getToken']);
    expect(JSON.stringify(requests)).toContain('***');
    expect(JSON.stringify(requests)).not.toContain('CANARY');
    expect(JSON.stringify(requests)).not.toContain('access_token');
  });
});

describe('sandbox platform: the log of deliveries', () => {
  const notify = (body: string) => platform.request('POST', '/control/notifications', { body: { eventType, body } });

  it('lists each delivery with its attempts, newest first', async () => {
    await notify('{"of":"another"}');
    await platform.send('POST', '/webhooks', webhook);
    statuses = [503];
    await notify('{"transferId":"t-1"}');
    await platform.clock.advance(60);
    expect(await list('/control/deliveries')).toEqual([
      {
        deliveryId: 'dlv-2',
        eventType,
        cause: 'CONTROL',
        url: webhook.url,
        body: '{"transferId":"t-1"}',
        outcome: 'delivered',
        attempts: [
          { startedOn: '2026-11-21T08:00:00.000Z', errorMessage: 'The webhook was answered with 503.' },
          { startedOn: '2026-11-21T08:00:01.000Z', status: 200 },
        ],
        createdOn: '2026-11-21T08:00:00.000Z',
      },
      expect.objectContaining({ deliveryId: 'dlv-1', outcome: 'unregistered', attempts: [] }),
    ]);
  });

  it('sends the same bytes again under a new id, to the webhook that is registered now', async () => {
    await notify('{"transferId": "t-1"}');
    await platform.send('POST', '/webhooks', webhook);
    const { body } = await platform.request('POST', '/control/deliveries/dlv-1/resend');
    expect(body).toMatchObject({ deliveryId: 'dlv-2', cause: 'RESEND', resendOf: 'dlv-1', outcome: 'delivered' });
    expect(sent).toEqual(['{"transferId": "t-1"}']);
  });
});
