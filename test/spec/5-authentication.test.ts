import { describe, expect, it } from 'vitest';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { fetchToken } from '#shared/platform/token/token.ts';
import { useContract } from './contract.ts';
import { httpError } from './refused.ts';

const contract = useContract();

const getToken = (request: Partial<Parameters<typeof fetchToken>[0]> = {}) =>
  fetchToken({
    authUrl: contract().baseUrl,
    ...defaultCredentials,
    profile: platformProfile.parse({}),
    fetch: createPlatformFetch(),
    now: contract().platform.clock.now,
    timeout: AbortSignal.timeout,
    ...request,
  });

const postForm = (form: Record<string, string>) =>
  contract().call('POST', '/oauth2/token', {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });

const form = { grant_type: 'client_credentials', client_id: 'sandbox', client_secret: 'sandbox-secret' };

/** A call with only this Authorization header. */
const callWith = (authorization: string | undefined, baseUrl = contract().baseUrl) =>
  fetch(`${baseUrl}/webhooks-missing`, { headers: authorization === undefined ? {} : { authorization } });

describe('4 Get Token: a form is answered with access_token, token_type and expires_in', () => {
  it('answers JSON with the token, its type and its lifetime', async () => {
    expect(await postForm(form)).toMatchObject({
      status: 200,
      body: { access_token: expect.stringMatching(/^[\x21-\x7e]+$/), token_type: 'Bearer', expires_in: 3_600 },
    });
  });

  it('returns the token and its lifetime to the client', async () => {
    expect(await getToken()).toEqual({ accessToken: expect.any(String), expiresIn: 3_600 });
  });
});

describe('5 flow 1: client credentials, issued by the operator', () => {
  it.each([{ clientId: 'another-client' }, { clientSecret: 'guessed' }, { clientId: '', clientSecret: '' }])(
    'refuses other credentials: %o',
    async (wrong) => {
      await expect(getToken(wrong)).rejects.toEqual(
        httpError(400, { errorCode: 'invalid_client', isRetryable: false }),
      );
    },
  );
});

describe('5 flow 2: a form with grant_type, client_id and client_secret', () => {
  it.each(['grant_type', 'client_id', 'client_secret'])('refuses a form without %s', async (field) => {
    const rest = Object.fromEntries(Object.entries(form).filter(([name]) => name !== field));
    expect(await postForm(rest)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('refuses another grant type than client_credentials', async () => {
    expect(await postForm({ ...form, grant_type: 'password' })).toMatchObject({
      status: 400,
      body: { error: 'unsupported_grant_type' },
    });
  });

  it('refuses JSON instead of a form', async () => {
    expect(await contract().call('POST', '/oauth2/token', { body: form })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe('5 flow 3 + 8 Access token lifetime: a Bearer token, valid for 3600 seconds', () => {
  it('accepts a token until it expires, and not after', async () => {
    const { accessToken, expiresIn } = await getToken();
    await contract().advance(expiresIn - 1);
    expect((await callWith(`Bearer ${accessToken}`)).status).toBe(200);
    await contract().advance(1);
    expect((await callWith(`Bearer ${accessToken}`)).status).toBe(401);
  });

  it('keeps the previous token valid', async () => {
    const { accessToken } = await getToken();
    await getToken();
    expect((await callWith(`Bearer ${accessToken}`)).status).toBe(200);
  });
});

describe('5 flow 4: calls go to the base URL with Authorization: Bearer', () => {
  it.each([undefined, '', 'Bearer', 'Bearer x', 'Bearer a b', 'x', 'Basic c2FuZGJveDpzYW5kYm94LXNlY3JldA=='])(
    'refuses the Authorization header %s',
    async (authorization) => {
      const answer = await callWith(authorization);
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ responseType: 'UNAUTHORIZED' });
    },
  );
});

describe('5 flow 5: each environment has a token service and a base URL of its own', () => {
  const other = useContract({
    profile: platformProfile.parse({ token: { path: '/connect/token', scope: 'partner' } }),
  });

  it('refuses the token of another environment', async () => {
    const { accessToken } = await getToken();
    expect((await callWith(`Bearer ${accessToken}`, other().baseUrl)).status).toBe(401);
  });

  it('supports another token path and a scope', async () => {
    const { baseUrl: authUrl, platform } = other();
    expect(await getToken({ authUrl, profile: platform.profile })).toMatchObject({ expiresIn: 3_600 });
    for (const scope of [undefined, 'other'])
      await expect(
        getToken({ authUrl, profile: platformProfile.parse({ token: { path: '/connect/token', scope } }) }),
      ).rejects.toEqual(httpError(400, { errorCode: 'invalid_scope' }));
    await expect(getToken({ authUrl })).rejects.toEqual(httpError(401));
  });
});
