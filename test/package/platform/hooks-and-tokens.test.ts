import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AttemptRecord,
  type CallRecord,
  connectPlatform,
  createNodeFetch,
  PlatformAnswerTooLargeError,
  type PlatformOptions,
  PlatformTokenError,
  tokensFromSecret,
} from '#package/exports/platform.ts';
import { digestToken } from '#shared/secrets/platform-token.ts';
import { unhandledRejections } from '#test/package/unhandled-rejections.ts';
import { json, type PlatformServer, startPlatformServer } from '#test/shared/platform/client/platform-server.ts';

let server: PlatformServer;
beforeAll(async () => {
  server = await startPlatformServer();
});
afterAll(() => server.close());

const naturalPersonId = '11111111-1111-4111-8111-111111111111';
const secret = JSON.stringify({ accessToken: 'token-1', expiresAt: '2999-01-01T00:00:00Z', issuedAt: 'any' });

const connect = (options: Partial<PlatformOptions> = {}) =>
  connectPlatform({
    baseUrl: server.baseUrl,
    tokens: tokensFromSecret({ readSecret: async () => secret }),
    random: () => 0,
    wait: async () => undefined,
    now: () => new Date('2026-01-01T00:00:00Z'),
    ...options,
  });

describe('a hook of @drawbridge-partner/drawbridge/platform', () => {
  it('reports each attempt and the call, with no token, path or body', async () => {
    const attempts: AttemptRecord[] = [];
    const calls: CallRecord[] = [];
    const answers = [json(503, {}), json(200, { naturalPersonId })];
    server.answerWith((request, response) => answers.shift()?.(request, response));
    const platform = connect({ onAttempt: (one) => attempts.push(one), onCall: (one) => calls.push(one) });
    await platform.getNaturalPerson(naturalPersonId);
    const operation = 'Get natural person';
    expect(attempts).toEqual([
      { operation, method: 'GET', attempt: 1, status: 503, durationMs: 0 },
      { operation, method: 'GET', attempt: 2, status: 200, durationMs: 0 },
    ]);
    expect(calls).toEqual([{ operation, attempts: 2, durationMs: 0 }]);
  });

  it('reports the error of a call that sends nothing, and does not fail the call when it throws', async () => {
    const calls: CallRecord[] = [];
    const onCall = (one: CallRecord) => {
      calls.push(one);
      throw new Error('the hook');
    };
    const call = connect({ onCall, tokens: tokensFromSecret({ readSecret: async () => 'no token' }) });
    await expect(call.getNaturalPerson(naturalPersonId)).rejects.toBeInstanceOf(PlatformTokenError);
    expect(calls).toMatchObject([{ attempts: 0, error: { name: 'PlatformTokenError' } }]);
  });

  it('does not end the process when an async hook rejects', async () => {
    const rejected = unhandledRejections();
    server.answerWith(json(200, { naturalPersonId }));
    const fail = async () => {
      throw new Error('the hook');
    };
    await connect({ onAttempt: fail, onCall: fail }).getNaturalPerson(naturalPersonId);
    expect(await rejected()).toEqual([]);
  });
});

describe('a token of a secret', () => {
  it('is reported by its digest when the platform refuses it', async () => {
    const reports: unknown[] = [];
    server.answerWith(json(401, {}));
    const tokens = tokensFromSecret({
      readSecret: async () => secret,
      sendReport: async (report) => reports.push(report),
    });
    await expect(connect({ tokens }).getNaturalPerson(naturalPersonId)).rejects.toMatchObject({ status: 401 });
    const body = JSON.stringify({ rejectedToken: digestToken('token-1') });
    expect(reports).toEqual([{ body, messageGroupId: 'refresh' }]);
  });

  it.each([undefined, 'no JSON', '{}', '{"accessToken":"a b","expiresAt":"2999-01-01"}'])(
    'fails without the content of a secret that is no token: %s',
    async (text) => {
      const reading = tokensFromSecret({ readSecret: async () => text }).read();
      await expect(reading).rejects.toThrow('The secret holds no platform token.');
    },
  );
});

describe('the HTTP of Node', () => {
  it('ends an answer that is larger than the limit', async () => {
    server.answerWith(json(200, { naturalPersonId, padding: 'x'.repeat(5_000) }));
    const platform = connect({ fetch: createNodeFetch({ maxBytes: 1_000 }) });
    await expect(platform.getNaturalPerson(naturalPersonId)).rejects.toBeInstanceOf(PlatformAnswerTooLargeError);
  });

  it('ends a call with the reason of its signal', async () => {
    server.answerWith(() => undefined);
    const stop = new AbortController();
    const call = connect().getNaturalPerson(naturalPersonId, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
  });

  it('refuses an address that would send the token in clear text', () => {
    expect(() => connect({ baseUrl: 'http://platform.example' })).toThrow('must be an https URL');
  });
});
