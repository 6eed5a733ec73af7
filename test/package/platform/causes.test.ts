import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { connectDrawbridge } from '#package/exports/client.ts';
import { dynamoDbSequences } from '#package/exports/events.ts';
import {
  connectPlatform,
  isOutcomeUnknown,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  type PlatformOptions,
  PlatformTokenError,
  tokensFromOAuth,
  tokensFromSecret,
} from '#package/exports/platform.ts';
import { destroy, inTurn, json, platformOfFile, type Respond } from '#test/shared/platform/client/platform-server.ts';
import { errorOf } from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();
const naturalPersonId = '11111111-1111-4111-8111-111111111111';
const tokens = { read: async () => 'token', reportRejected: async () => undefined };

const breakOff: Respond = (_, response) => {
  response.writeHead(202, { 'content-length': '9' });
  response.write('{"or', () => response.socket?.resetAndDestroy());
};

const connect = (options: Partial<PlatformOptions> = {}) =>
  connectPlatform({ baseUrl: server.baseUrl, tokens, random: () => 0, wait: async () => undefined, ...options });

describe('a call without a token', () => {
  const callWith = (authUrl: string) =>
    errorOf(
      PlatformTokenError,
      connect({ tokens: tokensFromOAuth({ authUrl, clientId: 'c', clientSecret: 's' }) }).getNaturalPerson(
        naturalPersonId,
      ),
    );

  it.each([
    [
      'a wrong secret',
      401,
      { error: 'invalid_client' },
      'Its code is invalid_client. Check clientId and clientSecret, and authUrl.',
    ],
    ['a wrong path', 404, {}, 'Check authUrl, and token.path of the profile.'],
  ])('says that %s is the cause, and cannot succeed later', async (_, status, body, cause) => {
    server.answerWith(json(status, body));
    // With a slash at its end, which the address may have.
    const { message, isRetryable } = await callWith(`${server.baseUrl}/`);
    expect(message).toContain(`there is no valid token: Get Token: the platform answered ${status}`);
    expect(message).toContain(cause);
    expect(isRetryable).toBe(false);
  });

  it('says that the host cannot be reached, and may succeed later', async () => {
    const { message, isRetryable } = await callWith('http://localhost:1');
    expect(message).toContain('there is no valid token: Get Token: the connection to the platform failed (ECONN');
    expect(isRetryable).toBe(true);
  });

  it('names a host that does not resolve and the option that has it, and may succeed later', async () => {
    const { message, isRetryable } = await callWith('https://login.invalid');
    expect(message).toMatch(/Get Token: the host login\.invalid does not resolve \(E\w+\)\. Check authUrl, and DNS\.$/);
    expect(isRetryable).toBe(true);
  });
});

describe('an option of the client', () => {
  it.each([
    [() => connectPlatform(undefined as never), 'connectPlatform expects { baseUrl:', 'the options'],
    [() => connect({ baseUrl: 'platform.example' }), 'connectPlatform expects', 'baseUrl: must be an https URL'],
    [
      () => connect({ tokens: 'token' as never }),
      'create tokens by tokensFromSecret',
      'tokens: is missing or malformed',
    ],
    [() => connect({ profile: { nothing: 1 } as never }), 'connectPlatform expects', 'profile.nothing: does not exist'],
    [() => tokensFromOAuth({ authUrl: '' } as never), 'tokensFromOAuth expects { authUrl:', 'clientId: is missing'],
    [() => tokensFromSecret({} as never), 'tokensFromSecret expects { readSecret:', 'readSecret: must be a function'],
    [() => dynamoDbSequences({} as never), 'dynamoDbSequences expects { dynamoDb:', 'tableName: is missing'],
    [() => connectDrawbridge({ apiUrl: '' }), 'connectDrawbridge expects { apiUrl:', 'apiUrl: must be an https URL'],
  ])('is refused with what is expected and which option differs: %s', (create, expected, problem) => {
    expect(create).toThrow(TypeError);
    expect(create).toThrow(expected);
    expect(create).toThrow(problem);
  });
});

describe('a call that the platform refuses', () => {
  it("has a hint, and the platform's own sentence where no log finds it", async () => {
    const message = 'The natural person of the Requestor-ID is not ACTIVE: Erika';
    server.answerWith(json(400, { errorCode: 'VALIDATION_ERROR', message }));
    const call = connect().onBehalfOf(naturalPersonId).cancelOrder('order');
    const error = await errorOf(PlatformHttpError, call);
    expect(error.platformText).toBe(message);
    expect(error.hint).toContain('must be ACTIVE');
    expect(`${JSON.stringify(error)} ${inspect(error)} ${error.stack}`).not.toContain('Erika');
  });

  it.each([
    [{ errorDetails: [{ field: 'isin', errors: [] }] }, 'errorDetails names the fields'],
    [{ message: 'The order is SETTLED.', errorDetails: [] }, 'platformText says why. The platform names no field.'],
    [{}, 'names neither a field nor a reason'],
  ])('has a hint about what the answer has: %j', async (body, hint) => {
    server.answerWith(json(400, body));
    const call = connect().onBehalfOf(naturalPersonId).cancelOrder('order');
    expect((await errorOf(PlatformHttpError, call)).hint).toContain(hint);
  });

  it('is not sent with what is no schema', async () => {
    server.answerWith(() => {
      throw new Error('a request was sent');
    });
    const call = connect().request(JSON.parse('{}'), { operation: 'Read', method: 'GET', path: '/x' });
    expect((await errorOf(PlatformInputError, call)).message).toContain('the schema: must be one of zod 4');
  });
});

describe('a cancel whose answer is lost', () => {
  const cancel = () => connect().onBehalfOf(naturalPersonId).cancelOrder('order');

  it.each([400, 404, 409])('has an unknown outcome when its repeat is refused with %d', async (status) => {
    server.answerWith(inTurn(json(429, {}), json(504, {}), json(503, {}), json(status, {})));
    const error = await errorOf(PlatformHttpError, cancel());
    expect(error).toMatchObject({ status: 504, isRetryable: true });
    expect(isOutcomeUnknown(error)).toBe(true);
  });

  it.each([
    ['before any answer', destroy],
    ['within the answer', breakOff],
  ])('has an unknown outcome when a kept connection breaks %s and the repeat is refused', async (_, lost) => {
    const answers = [json(200, { naturalPersonId }), lost, json(409, {})];
    server.answerWith((request, response) => answers.shift()?.(request, response));
    const platform = connect();
    await platform.getNaturalPerson(naturalPersonId);
    const error = await errorOf(PlatformNetworkError, platform.onBehalfOf(naturalPersonId).cancelOrder('order'));
    expect(isOutcomeUnknown(error)).toBe(true);
  });

  it('succeeds when its repeat does', async () => {
    server.answerWith(inTurn(json(504, {}), json(202, {})));
    await expect(cancel()).resolves.toBeUndefined();
  });

  it.each([
    ['of the first answer', json(409, {}), 409],
    ['after a call that was not taken', inTurn(json(429, {}), json(404, {})), 404],
    ['that is no answer to a repeat', inTurn(json(504, {}), json(403, {})), 403],
  ])('keeps a refusal that no lost answer can explain: %s', async (_, respond, status) => {
    server.answerWith(respond);
    await expect(cancel()).rejects.toMatchObject({ status });
  });
});

describe('a failed call', () => {
  /** Answers 503 so often, and then the person. Gives how many requests came. */
  function failTimes(failures: number): () => number {
    let requests = 0;
    server.answerWith((request, response) => {
      requests += 1;
      (requests <= failures ? json(503, {}) : json(200, { naturalPersonId }))(request, response);
    });
    return () => requests;
  }

  it('is retried up to three times, however many calls came before', async () => {
    const platform = connect();
    for (let call = 0; call < 3; call += 1) {
      const requests = failTimes(3);
      await platform.getNaturalPerson(naturalPersonId);
      expect(requests()).toBe(4);
    }
  });

  it('is retried as often as the option of the client or the call says', async () => {
    const never = failTimes(1);
    await expect(connect({ retry: 0 }).getNaturalPerson(naturalPersonId)).rejects.toMatchObject({ status: 503 });
    expect(never()).toBe(1);
    const once = failTimes(2);
    await expect(connect().getNaturalPerson(naturalPersonId, { retry: 1 })).rejects.toMatchObject({ status: 503 });
    expect(once()).toBe(2);
  });

  it('ends its retries with timeoutMs', async () => {
    server.answerWith(() => undefined);
    await expect(connect().getNaturalPerson(naturalPersonId, { timeoutMs: 60 })).rejects.toMatchObject({
      name: 'PlatformTimeoutError',
    });
  });
});
