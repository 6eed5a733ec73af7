import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { requestToken } from '#functions/token-refresher/refresh/request-token.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { captureLines } from '#test/shared/lambda/written-lines.ts';
import { empty, json, type Respond } from '#test/shared/platform/client/platform-server.ts';
import { saidBy } from '#test/shared/platform/client/test-client.ts';
import { clientCredentials, startTokenService, type TokenService } from './token-service.ts';

let service: TokenService;
let pauses: number[];
/** Ends the time of the attempt that is under way. */
let endTime: () => void;
beforeAll(async () => {
  service = await startTokenService();
});
afterAll(() => service.close());
beforeEach(() => {
  service.failure = undefined;
  pauses = [];
  endTime = () => undefined;
});

function request() {
  return requestToken({
    authUrl: service.authUrl,
    ...clientCredentials,
    profile: platformProfile.parse({}),
    fetch: createPlatformFetch(),
    now: () => new Date(),
    timeout: () => {
      const attempt = new AbortController();
      endTime = () => attempt.abort(new DOMException('The time is over.', 'TimeoutError'));
      return attempt.signal;
    },
    random: () => 0.5,
    wait: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  });
}

/** The error, how many requests there were, and what the log says of it. */
async function fail(respond: Respond) {
  service.failure = respond;
  const before = service.requests();
  const error: unknown = await request().catch((reason: unknown) => reason);
  const lines = captureLines();
  lines.log.error('failed', { error });
  return { error, requests: service.requests() - before, logged: lines.text() };
}

/** Fails once, then does what it always does. */
function once(respond: Respond): void {
  service.failure = (received, response) => {
    service.failure = undefined;
    return respond(received, response);
  };
}

/** Does not answer. The time of the attempt ends only once the request has come: by a timer, a busy machine may be later. */
const hang: Respond = () => endTime();

describe('section 5.2: the refresher asks the token service', () => {
  it('asks once when it answers', async () => {
    const before = service.requests();
    expect(await request()).toEqual({ accessToken: service.issued.at(-1), expiresIn: 3600 });
    expect(service.requests() - before).toBe(1);
    expect(pauses).toEqual([]);
  });

  it.each([
    ['answers 500', json(500, { error: 'server_error' })],
    ['does not answer in time', hang],
  ])('asks once more, after a pause with jitter, when it %s', async (_, respond) => {
    once(respond);
    expect(await request()).toMatchObject({ accessToken: service.issued.at(-1) });
    expect(pauses).toEqual([500]);
  });
});

describe('a token service that fails', () => {
  const isBusy: Respond = (_, response) => response.writeHead(503, { 'retry-after': '60' }).end();

  it.each<[string, Respond, number]>([
    ['400', json(400, { error: 'invalid_client', error_description: 'CANARY' }), 1],
    ['503 with a time to wait', isBusy, 1],
    ['500 twice', json(500, { error: 'server_error', error_description: 'CANARY' }), 2],
    ['nothing, twice', hang, 2],
  ])('throws and reveals nothing of the answer: %s', async (_, respond, expected) => {
    const { error, requests, logged } = await fail(respond);
    expect(error).toMatchObject({ code: 'TokenServiceError' });
    expect(requests).toBe(expected);
    expect(saidBy(error)).not.toMatch(/CANARY/);
    expect(logged).not.toMatch(/CANARY/);
  });

  it('logs what the token service answered', async () => {
    const { logged } = await fail(empty(503));
    expect(logged).toContain('The token service gave no token');
    expect(logged).toContain('Get Token: the platform answered 503');
  });

  it('logs no word that RFC 6749 does not know: the word may be the secret', async () => {
    const { error, logged } = await fail(json(400, { error: 'CANARY-SECRET' }));
    expect(error).toMatchObject({ code: 'TokenServiceError' });
    expect(logged).not.toContain('CANARY');
  });

  it.each(['invalid_client', 'invalid_scope', 'unauthorized_client'])(
    'logs that the token service refuses with %s, and where to look',
    async (code) => {
      const { logged } = await fail(json(400, { error: code }));
      expect(logged).toContain(`refuses with ${code}: check the secret PlatformCredentials`);
    },
  );
});
