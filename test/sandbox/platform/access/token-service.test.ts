import { beforeEach, describe, expect, it } from 'vitest';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const valid = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };
const formType = 'application/x-www-form-urlencoded';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const post = (body: unknown, path = '/oauth2/token', headers: Record<string, string> = { 'content-type': formType }) =>
  platform.request('POST', path, { body, headers });
const ask = (form: Record<string, string>) => post(new URLSearchParams(form).toString());
const refused = (error: string) => ({ status: 400, body: { error } });

/** Whether the API takes it. */
async function isAccepted(accessToken: unknown): Promise<boolean> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await platform.request('GET', '/webhooks', { headers })).status === 200;
}

async function getToken(): Promise<string> {
  const { status, body } = await ask(valid);
  expect(status).toBe(200);
  return (body as { access_token: string }).access_token;
}

describe('sandbox platform: token requests with client credentials (section 5, rules 1 and 2)', () => {
  it('accepts the credentials that the platform was started with', async () => {
    platform = startPlatform({ credentials: { clientId: 'drawbridge', clientSecret: 's3cr=t&' } });
    expect((await ask({ ...valid, client_id: 'drawbridge', client_secret: 's3cr=t&' })).status).toBe(200);
    expect(await ask(valid)).toEqual(refused('invalid_client'));
  });
});

describe('sandbox platform: refused token requests (RFC 6749, section 5.2)', () => {
  it.each([
    ['text', String(new URLSearchParams(valid)), 'text/plain'],
    ['bytes that are no UTF-8', new Uint8Array([0xff, 0x3d, 0xfe]), formType],
    ['a form of several parts without a boundary', 'grant_type', 'multipart/form-data'],
  ])('answers a body that is not a form with 400: %s', async (_, body, contentType) => {
    expect(await post(body, undefined, { 'content-type': contentType })).toEqual(refused('invalid_request'));
  });
});

describe('sandbox platform: the lifetime of a token (section 5, rule 3)', () => {
  it('rejects revoked tokens and accepts those that are issued later', async () => {
    const revoked = await getToken();
    expect(await platform.request('POST', '/control/tokens/revoke')).toEqual({ status: 200, body: { issued: 1 } });
    expect(await isAccepted(revoked)).toBe(false);
    expect(await isAccepted(await getToken())).toBe(true);
  });

  it('forgets expired tokens, so that memory stays bounded', async () => {
    const expired = await getToken();
    await platform.clock.advance(3_600);
    expect(() => platform.tokens.check(`Bearer ${expired}`)).toThrow('has expired');
    await getToken();
    expect(() => platform.tokens.check(`Bearer ${expired}`)).toThrow('is unknown or was revoked');
    expect(platform.tokens.issued()).toBe(2);
  });
});
