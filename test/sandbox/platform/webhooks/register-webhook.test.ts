import { beforeEach, describe, expect, it } from 'vitest';
import { eventTypes } from '#shared/platform/profile/event-place.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
const url = 'https://partner.example/webhooks/TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const register = (data: unknown) => platform.send('POST', '/webhooks', data);
const registered = () => platform.send('GET', `/webhooks/${eventType}`);
const badRequest = (field: string) => refusal(400, 'BAD_REQUEST', expect.stringContaining(field));

describe('sandbox platform: the url of a webhook (section 2.1)', () => {
  it('accepts plain http on this machine', async () => {
    const local = 'http://localhost:3000/hook';
    expect((await register({ eventType, url: local })).status).toBe(200);
    expect((await registered()).body).toMatchObject({ url: local });
  });

  it.each([
    'http://localhost.partner.example/hook',
    'http://localhost@partner.example/hook',
    'https://user:password@partner.example/hook',
    'javascript:alert(1)',
    'https://partner.example/ä',
    'https://partner.example/\nhook',
    undefined,
  ])('rejects the url %j', async (other) => {
    expect(await register({ eventType, url: other })).toEqual(badRequest('url'));
    expect((await registered()).status).toBe(404);
  });
});

describe('sandbox platform: the headers of a webhook (section 2.1)', () => {
  it.each(['x:', 'ä'])('rejects the header name %j', async (name) => {
    expect(await register({ eventType, url, headers: [{ name, value: 'a' }] })).toEqual(badRequest('headers.0.name'));
  });

  it.each(['a\r\nx-injected: 1', 'a\n', 'a\0', '€'])('rejects the header value %j', async (value) => {
    expect(await register({ eventType, url, headers: [{ name: 'x', value }] })).toEqual(badRequest('headers.0.value'));
  });
});

describe('sandbox platform: EventTypeEnum (section 2.1)', () => {
  it('accepts further event types of a newer platform', async () => {
    const known = 'TRANSFER_NOTIFICATION';
    platform = startPlatform({ newEventTypes: ['WEATHER_NOTIFICATION', known] });
    expect((await register({ eventType: 'WEATHER_NOTIFICATION', url })).status).toBe(200);
    expect((await platform.send('GET', '/webhooks-missing')).body).toEqual(
      eventTypes.map((each) => ({ eventType: each })),
    );
  });
});
