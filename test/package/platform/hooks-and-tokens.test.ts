import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AnswerTooLargeError,
  type AttemptRecord,
  type CallRecord,
  connectPlatform,
  createNodeFetch,
  PlatformAnswerTooLargeError,
  type PlatformOptions,
  PlatformTokenError,
  TokenExpiredError,
  tokensFromOAuth,
  tokensFromSecret,
} from '#package/exports/platform.ts';
import { digestToken } from '#shared/secrets/platform-token.ts';
import { unhandledRejections } from '#test/package/unhandled-rejections.ts';
import { json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';

const server = platformOfFile();
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
  it('fails a call with TokenExpiredError as the cause when the refresher has stored no later one', async () => {
    const expired = JSON.stringify({ accessToken: 'token-1', expiresAt: '2025-12-31T00:00:00Z' });
    const call = connect({ tokens: tokensFromSecret({ readSecret: async () => expired }) }).getNaturalPerson(
      naturalPersonId,
    );
    await expect(call).rejects.toMatchObject({ cause: expect.any(TokenExpiredError) });
  });

  it('is used until it expires while the secret cannot be read', async () => {
    let [time, isDown] = [Date.parse('2998-12-31T23:59:00Z'), false];
    const readSecret = async () => {
      if (isDown) throw new Error('The secret cannot be read.');
      return secret;
    };
    const tokens = tokensFromSecret({ readSecret, now: () => new Date(time) });
    await tokens.read();
    isDown = true;
    time += 59_999;
    expect(await tokens.read()).toBe('token-1');
    time += 1;
    await expect(tokens.read()).rejects.toThrow('The secret cannot be read.');
  });

  it('fails a read that has no end after 10 seconds, and reads again for the next call', async () => {
    const timer = new AbortController();
    const setTimer = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timer.signal);
    onTestFinished(() => setTimer.mockRestore());
    const reads = [new Promise<never>(() => undefined), Promise.resolve(secret)];
    const tokens = tokensFromSecret({ readSecret: async () => reads.shift() });
    const hanging = tokens.read();
    timer.abort();
    await expect(hanging).rejects.toThrow('The secret was not read within 10000 ms');
    expect(setTimer).toHaveBeenCalledWith(10_000);
    expect(await tokens.read()).toBe('token-1');
  });

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

/** A token service that numbers its tokens, each of which ends the one before, and a platform that accepts the last one. */
function tokenService() {
  const state = { time: Date.parse('2026-01-01T00:00:00Z'), asked: 0, valid: '', isDown: false };
  const body = (answer: object) => new TextEncoder().encode(JSON.stringify(answer));
  const answer = (status: number, content: object) => ({
    status,
    headers: { get: () => null },
    bytes: async () => body(content),
  });
  const now = () => new Date(state.time);
  const tokens = tokensFromOAuth({
    authUrl: 'https://auth.example',
    clientId: 'id',
    clientSecret: 'secret',
    now,
    fetch: async () => {
      state.asked += 1;
      if (state.isDown) return answer(503, {});
      state.valid = `token-${state.asked}`;
      return answer(200, { access_token: state.valid, token_type: 'Bearer', expires_in: 3_600 });
    },
  });
  return { state, tokens, now, answer };
}

describe('a token of the token service', () => {
  it('is asked for once when many calls meet a revoked token, one after another', async () => {
    const { state, tokens, now, answer } = tokenService();
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    let sent = 0;
    const platform = connect({
      tokens,
      now,
      fetch: async (_, { headers }) => {
        sent += 1;
        const isLate = sent === 3;
        const isAccepted = headers['authorization'] === `Bearer ${state.valid}`;
        // Its 401 comes after the other call has a new token.
        if (isLate) await isHeld;
        return isAccepted ? answer(200, { naturalPersonId }) : answer(401, {});
      },
    });
    const get = () => platform.getNaturalPerson(naturalPersonId);
    await get();
    state.valid = 'revoked';
    const [first, second] = [get(), get()];
    await first;
    release();
    expect(await second).toMatchObject({ naturalPersonId });
    expect(state.asked).toBe(2);
  });

  it('is asked for again when the platform refuses the latest one', async () => {
    const { state, tokens } = tokenService();
    expect(await tokens.read()).toBe('token-1');
    expect(await tokens.read({ fresh: true, rejected: 'token-1' })).toBe('token-2');
    expect(await tokens.read({ fresh: true, rejected: 'token-1' })).toBe('token-2');
    expect(await tokens.read({ fresh: true, rejected: 'token-2' })).toBe('token-3');
    expect(await tokens.read({ fresh: true })).toBe('token-4');
    expect(state.asked).toBe(4);
  });

  it('is used until it expires while the token service fails', async () => {
    const { state, tokens } = tokenService();
    await tokens.read();
    state.isDown = true;
    state.time += 3_599_999;
    expect(await tokens.read()).toBe('token-1');
    state.time += 1;
    await expect(tokens.read()).rejects.toMatchObject({ status: 503 });
    state.isDown = false;
    expect(await tokens.read()).toBe('token-4');
  });
});

describe('the HTTP of Node', () => {
  it('ends an answer that is larger than the limit', async () => {
    server.answerWith(json(200, { naturalPersonId, padding: 'x'.repeat(5_000) }));
    const platform = connect({ fetch: createNodeFetch({ maxBytes: 1_000 }) });
    await expect(platform.getNaturalPerson(naturalPersonId)).rejects.toBeInstanceOf(PlatformAnswerTooLargeError);
  });

  it('can be replaced by a fetch that refuses an answer as too large', async () => {
    const fetch = async () => {
      throw new AnswerTooLargeError(1_000);
    };
    const call = connect({ fetch }).getNaturalPerson(naturalPersonId);
    await expect(call).rejects.toBeInstanceOf(PlatformAnswerTooLargeError);
  });

  it('ends a call with the reason of its signal', async () => {
    server.answerWith(() => undefined);
    const stop = new AbortController();
    const call = connect().getNaturalPerson(naturalPersonId, { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(call).rejects.toThrow('stopped');
  });
});
