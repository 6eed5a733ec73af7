import { describe, expect, it } from 'vitest';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import {
  PlatformAnswerTooLargeError,
  type PlatformError,
  PlatformHttpError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
} from '#shared/platform/client/errors.ts';
import type { PlatformFetch } from '#shared/platform/client/http.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { fetchToken } from '#shared/platform/token/token.ts';
import { destroy, empty, json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import { canaryToken, errorOf, saidBy } from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();

const clientSecret = 'canary&secret=+ä %';
const answer = { access_token: canaryToken, token_type: 'Bearer', expires_in: 3600 };

function get(
  profile: Parameters<typeof platformProfile.parse>[0] = {},
  authUrl = server.baseUrl,
  send: PlatformFetch = createPlatformFetch({ maxBytes: 1_000 }),
) {
  return fetchToken({
    authUrl,
    clientId: 'the client',
    clientSecret,
    profile: platformProfile.parse(profile),
    fetch: send,
    now: () => new Date('2026-01-02T03:04:05.678Z'),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  });
}

describe('section 5.2: the token request', () => {
  it('sends a form with only grant_type, client_id and client_secret', async () => {
    server.answerWith(json(200, answer));
    await get();
    expect(server.requests).toHaveLength(1);
    const [{ method, url, headers, body } = { method: '', url: '', headers: {}, body: '' }] = server.requests;
    expect([method, url]).toEqual(['POST', '/oauth2/token']);
    expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded(;|$)/);
    expect([...new URLSearchParams(body)]).toEqual([
      ['grant_type', 'client_credentials'],
      ['client_id', 'the client'],
      ['client_secret', clientSecret],
    ]);
    expect(body).toContain('client_secret=canary%26secret%3D%2B%C3%A4+%25');
  });

  it('sends no Requestor-ID and no token (section 5)', async () => {
    server.answerWith(json(200, answer));
    await get();
    expect(server.requests[0]?.headers).not.toHaveProperty('requestor-id');
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('section 5.3: the token response', () => {
  it('accepts more fields, and bearer in small letters', async () => {
    server.answerWith(json(200, { ...answer, token_type: 'bearer', scope: 'x', more: { a: 1 } }));
    expect(await get()).toEqual({ accessToken: canaryToken, expiresIn: 3600 });
  });

  it.each([{ expires_in: '3600' }, { token_type: undefined }, { token_type: null }])(
    'reads an answer with %j',
    async (other) => {
      server.answerWith(json(200, { ...answer, ...other }));
      expect(await get()).toEqual({ accessToken: canaryToken, expiresIn: 3600 });
    },
  );

  it.each([
    ['access_token', { ...answer, access_token: undefined }],
    ['access_token', { ...answer, access_token: '' }],
    ['access_token', { ...answer, access_token: `${canaryToken}\r\nx: y` }],
    ['access_token', { ...answer, access_token: null }],
    ['token_type', { ...answer, token_type: 'mac' }],
    ['expires_in', { ...answer, expires_in: 0 }],
    ['expires_in', { ...answer, expires_in: -1 }],
    ['expires_in', { ...answer, expires_in: 'an hour' }],
    ['expires_in', { ...answer, expires_in: undefined }],
    ['the body', [answer]],
    ['the body', null],
    ['the body', canaryToken],
  ])('refuses an answer with a wrong %s, without quoting it', async (field, body) => {
    server.answerWith(json(200, body));
    const error = await errorOf(PlatformSchemaError, get());
    expect(error.fields).toEqual([field]);
    expect(saidBy(error)).not.toMatch(/canary/i);
  });

  it('refuses a lifetime without end', async () => {
    server.answerWith((_, response) => response.end('{"access_token":"x","token_type":"Bearer","expires_in":1e999}'));
    expect((await errorOf(PlatformSchemaError, get())).fields).toEqual(['expires_in']);
  });

  it.each(['', canaryToken, `{"access_token":"${canaryToken}`, '<html>'])(
    'refuses an answer that is not a JSON object: %j',
    async (text) => {
      server.answerWith((_, response) => response.end(text));
      const error = await errorOf(PlatformSchemaError, get());
      expect(saidBy(error)).not.toMatch(/canary/i);
    },
  );
});

describe('a token service whose answer is too large', () => {
  it('fails with an error that names the limit, and quotes nothing', async () => {
    server.answerWith(json(200, { ...answer, more: 'x'.repeat(1_000) }));
    const error = await errorOf(PlatformAnswerTooLargeError, get());
    expect(error.message).toContain('Get Token');
    expect(error.message).toContain('more than 1000 bytes');
    expect(saidBy(error)).not.toMatch(/canary/i);
  });
});

describe('section 5: errors of the token service', () => {
  it.each([
    [400, 'invalid_client', false],
    [401, 'invalid_client', false],
    [400, 'invalid_scope', false],
    [429, 'slow_down', true],
    [500, 'server_error', true],
    [503, 'temporarily_unavailable', true],
  ])('reads %d with %s, where isRetryable is %s', async (status, error, isRetryable) => {
    server.answerWith(json(status, { error, error_description: `${clientSecret} is wrong` }));
    const failure = await errorOf(PlatformHttpError, get());
    expect(failure).toMatchObject({ status, errorCode: error, isRetryable, operation: 'Get Token' });
    expect(saidBy(failure)).not.toMatch(/canary/i);
    expect(server.requests).toHaveLength(1);
  });

  it('follows no redirect, which would receive the secret', async () => {
    server.answerWith(empty(307, { location: `${server.baseUrl}/elsewhere` }));
    // Ours follows none, whatever it is asked.
    await expect(get({}, server.baseUrl, fetch)).rejects.toMatchObject({ status: 307, isRetryable: false });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['breaks the connection', PlatformNetworkError, destroy],
    ['does not answer', PlatformTimeoutError, () => undefined],
    [
      'does not answer to the end',
      PlatformTimeoutError,
      (_: unknown, response: { write: (text: string) => unknown }) => response.write('{'),
    ],
  ])('fails when the token service %s', async (_, kind, respond) => {
    server.answerWith(respond);
    const error = await errorOf<PlatformError>(kind, get({ deadlines: { attempt: 50 } }));
    expect(error.isRetryable).toBe(true);
    expect(saidBy(error)).not.toMatch(/canary/i);
  });

  it('fails when no token service listens', async () => {
    const error = await errorOf(PlatformNetworkError, get({}, 'http://127.0.0.1:1'));
    expect(saidBy(error)).not.toMatch(/canary/i);
  });
});
