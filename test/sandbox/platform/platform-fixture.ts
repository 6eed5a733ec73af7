import { expect } from 'vitest';
import { createPlatformApp } from '#sandbox/platform/http/app.ts';
import { createPlatform, defaultCredentials, type PlatformOptions } from '#sandbox/platform/platform.ts';

export const startTime = new Date('2026-11-21T08:00:00Z');

/** A platform whose clock stands still until it is moved on, and a token for it. */
export function startPlatform(options: Partial<PlatformOptions> = {}) {
  const errors: unknown[] = [];
  const platform = createPlatform({
    frozenAt: startTime,
    fetch,
    now: () => new Date(),
    onError: (error) => errors.push(error),
    ...options,
  });
  const app = createPlatformApp(platform);
  let token: string | undefined;

  async function request(method: string, path: string, { body, headers = {} }: RequestOptions = {}) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await app.request(path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: text }),
    });
    const answered = await answer.text();
    return { status: answer.status, body: answered === '' ? undefined : parse(answered) };
  }

  async function getToken(): Promise<string> {
    const { clientId: client_id, clientSecret: client_secret } = defaultCredentials;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await app.request('/oauth2/token', { method: 'POST', body: form });
    return ((await answer.json()) as { access_token: string }).access_token;
  }

  return {
    ...platform,
    app,
    /** What the platform said should not have happened. */
    errors,
    /** A call without a token, as to the control API. */
    request,
    /** A call with a token. */
    send: async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      token ??= await getToken();
      return request(method, path, { body, headers: { authorization: `Bearer ${token}`, ...headers } });
    },
  };
}

type RequestOptions = { readonly body?: unknown; readonly headers?: Record<string, string> };

export type TestPlatform = ReturnType<typeof startPlatform>;

function parse(text: string): unknown {
  return JSON.parse(text);
}

/** How the platform says that it refuses a request: no more than this, and no stack trace. */
export function refusal(status: number, responseType: string, message: unknown) {
  return {
    status,
    body: expect.objectContaining({ responseType, message, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) }),
  };
}
