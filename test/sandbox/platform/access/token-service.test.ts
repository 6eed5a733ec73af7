import { beforeEach, describe, expect, it } from 'vitest';
import { createTokenRoutes } from '#sandbox/platform/access/token-routes.ts';
import { startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

const valid = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };
const without = (field: keyof typeof valid) =>
  Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field));
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
  it('forbids caches to store the answer (RFC 6749, section 5.1)', async () => {
    for (const form of [valid, without('client_id')]) {
      const { headers } = await platform.requestRaw('POST', '/oauth2/token', { body: new URLSearchParams(form) });
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('accepts the credentials that the platform was started with', async () => {
    platform = startPlatform({ credentials: { clientId: 'drawbridge', clientSecret: 's3cr=t&' } });
    expect((await ask({ ...valid, client_id: 'drawbridge', client_secret: 's3cr=t&' })).status).toBe(200);
    expect(await ask(valid)).toEqual(refused('invalid_client'));
  });
});

describe('sandbox platform: refused token requests (RFC 6749, section 5.2)', () => {
  it('answers a repeated field with 400', async () => {
    expect(await post(`${new URLSearchParams(valid)}&client_id=sandbox`)).toEqual(refused('invalid_request'));
  });

  it.each([
    ['text', String(new URLSearchParams(valid)), 'text/plain'],
    ['bytes that are no UTF-8', new Uint8Array([0xff, 0x3d, 0xfe]), formType],
    ['a form of several parts without a boundary', 'grant_type', 'multipart/form-data'],
  ])('answers a body that is not a form with 400: %s', async (_, body, contentType) => {
    expect(await post(body, undefined, { 'content-type': contentType })).toEqual(refused('invalid_request'));
  });

  it('answers a multipart form with 400, even with every field', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(valid)) form.set(name, value);
    expect(await platform.request('POST', '/oauth2/token', { body: form })).toEqual(refused('invalid_request'));
  });

  it("answers a failure of the sandbox itself with another error than the token service's", async () => {
    const tokens = { ...platform.tokens, issue: () => expect.unreachable('the sandbox is broken') };
    const routes = createTokenRoutes(tokens, platform.profile);
    const answered = Promise.resolve(
      routes.request('/oauth2/token', { method: 'POST', body: new URLSearchParams(valid) }),
    );
    await expect(answered).rejects.toThrow('the sandbox is broken');
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
