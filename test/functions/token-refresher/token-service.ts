import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { json, type Respond, startPlatformServer } from '#test/shared/platform/platform-server.ts';

/** A token service over a real socket (section 5): each request that it grants gets a token of its own. */
export type TokenService = {
  readonly authUrl: string;
  /** How many tokens were asked for. */
  readonly requests: () => number;
  /** The tokens that it has issued, oldest first. */
  readonly issued: readonly string[];
  /** How long the next tokens live, in seconds. */
  expiresIn: unknown;
  /** What it answers instead, until it is undefined again. */
  failure: Respond | undefined;
  readonly close: () => Promise<void>;
};

export const clientCredentials = { clientId: 'client', clientSecret: 'CANARY-SECRET+=&' };

export async function startTokenService(): Promise<TokenService> {
  const server = await startPlatformServer();
  const issued: string[] = [];
  const service: TokenService = {
    authUrl: server.baseUrl,
    requests: () => server.requests.length,
    issued,
    expiresIn: 3600,
    failure: undefined,
    close: server.close,
  };

  function grant(response: ServerResponse): void {
    const accessToken = `CANARY-TOKEN-${randomUUID()}`;
    issued.push(accessToken);
    const body = { access_token: accessToken, token_type: 'Bearer', expires_in: service.expiresIn };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  server.answerWith((request, response) => {
    if (service.failure !== undefined) return service.failure(request, response);
    const form = Object.fromEntries(new URLSearchParams(request.body));
    const { clientId, clientSecret } = clientCredentials;
    const expected = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    if (request.url === '/oauth2/token' && isDeepStrictEqual(form, expected)) return grant(response);
    return json(400, { error: 'invalid_client' })(request, response);
  });
  return service;
}
