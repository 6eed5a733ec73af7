import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  empty,
  json,
  type Received,
  type Respond,
  startPlatformServer,
} from '#test/shared/platform/client/platform-server.ts';

/**
 * A token service over a real socket (section 5), and a platform that accepts only its latest token: each token that is
 * issued revokes those before it.
 */
export type TokenService = {
  readonly authUrl: string;
  /** {base_url}: any call is answered `{"id": "a"}`, or 401. */
  readonly baseUrl: string;
  /** How many tokens were asked for. */
  readonly requests: () => number;
  /** The tokens that it has issued, oldest first. */
  readonly issued: readonly string[];
  /** How long the next tokens live, in seconds. */
  expiresIn: unknown;
  /** What it answers instead, until it is undefined again. */
  failure: Respond | undefined;
  /** From now on no token of before is taken. */
  readonly revoke: () => void;
  readonly close: () => Promise<void>;
};

export const clientCredentials = { clientId: 'client', clientSecret: 'CANARY-SECRET+=&' };

export async function startTokenService(): Promise<TokenService> {
  const server = await startPlatformServer();
  const issued: string[] = [];
  let requests = 0;
  let valid: string | undefined;
  const service: TokenService = {
    authUrl: `${server.baseUrl}/auth`,
    baseUrl: `${server.baseUrl}/api`,
    requests: () => requests,
    issued,
    expiresIn: 3600,
    failure: undefined,
    revoke: () => {
      valid = undefined;
    },
    close: server.close,
  };

  function grant(response: ServerResponse): void {
    const accessToken = `CANARY-TOKEN-${randomUUID()}`;
    issued.push(accessToken);
    valid = accessToken;
    const body = { access_token: accessToken, token_type: 'Bearer', expires_in: service.expiresIn };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  function answerToken(request: Received, response: ServerResponse): unknown {
    requests += 1;
    if (service.failure !== undefined) return service.failure(request, response);
    const form = Object.fromEntries(new URLSearchParams(request.body));
    const { clientId, clientSecret } = clientCredentials;
    const expected = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    return isDeepStrictEqual(form, expected)
      ? grant(response)
      : json(400, { error: 'invalid_client' })(request, response);
  }

  server.answerWith((request, response) => {
    if (request.url === '/auth/oauth2/token') return answerToken(request, response);
    const isAccepted = valid !== undefined && request.headers.authorization === `Bearer ${valid}`;
    return (isAccepted ? json(200, { id: 'a' }) : empty(401))(request, response);
  });
  return service;
}
