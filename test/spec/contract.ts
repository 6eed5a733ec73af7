import { getRequestListener } from '@hono/node-server';
import { afterEach, beforeEach, expect } from 'vitest';
import { listen } from '#sandbox/net/server.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import type { Platform, PlatformOptions } from '#sandbox/platform/app/platform.ts';
import { createPlatformClient, type PlatformClient } from '#shared/platform/client/client.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { fetchToken } from '#shared/platform/token/token.ts';
import { documentPaths, openApiCheckFor } from '#test/openapi/openapi-check.ts';
import { createFrozenPlatform } from '#test/sandbox/platform/platform-fixture.ts';
import { type Partner, startPartner } from '#test/sandbox/platform/webhooks/partner.ts';

/** An id that nothing on the platform has. */
export const unknownId = '99999999-9999-4999-8999-999999999999';

/**
 * The client of `shared/platform`, and the sandbox platform behind a real socket. Its clock moves only by `advance`,
 * and each of its answers is checked against its OpenAPI document.
 */
export type Contract = {
  readonly client: PlatformClient;
  readonly platform: Platform;
  readonly baseUrl: string;
  readonly partner: Partner;
  /** Moves the clock of the platform forward, and completes all work that is due. */
  readonly advance: (seconds: number) => Promise<void>;
  /** Any call with a valid token, also one that the client refuses to send. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  /** A call of the control API, which must succeed. */
  readonly control: (method: string, path: string, body?: unknown) => Promise<unknown>;
};

export type CallOptions = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export type Answer = { readonly status: number; readonly headers: Headers; readonly body: unknown };

/** Starts client and platform for each test of a file. The returned function gives those of the current test. */
export function useContract(options: Partial<PlatformOptions> = {}): () => Contract {
  let contract: Contract;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const errors: unknown[] = [];
    const partner = await startPartner();
    const platform = createFrozenPlatform(errors, options);
    const server = await listen(getRequestListener(createPlatformApp(platform).fetch));
    contract = await connect(platform, server.origin, partner);
    close = async () => {
      platform.close();
      await server.close();
      await partner.close();
      expect(errors).toEqual([]);
      expect(misfits.splice(0)).toEqual([]);
    };
  });
  afterEach(() => close());
  return () => contract;
}

async function connect(platform: Platform, baseUrl: string, partner: Partner): Promise<Contract> {
  const fetch = await createCheckedFetch(baseUrl, platform.profile);
  const getToken = () => tokenOf(baseUrl, platform, fetch);
  let token = await getToken();
  const client = createPlatformClient({
    baseUrl,
    profile: platform.profile,
    tokens: {
      read: async ({ fresh = false } = {}) => {
        if (fresh) token = await getToken();
        return token;
      },
      reportRejected: async () => undefined,
    },
    fetch,
    now: platform.clock.now,
    random: () => 0.5,
    wait: async () => undefined,
    timeout: AbortSignal.timeout,
  });

  async function call(method: string, path: string, { body, headers = {} }: CallOptions = {}): Promise<Answer> {
    const answer = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        // A new token for each call, because a test may have moved the clock by days. Without the token service: it costs a call.
        authorization: `Bearer ${platform.tokens.issue().accessToken}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
  }

  async function control(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await call(method, `/control${path}`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  }

  return { client, platform, baseUrl, partner, advance: platform.clock.advance, call, control };
}

/** A `fetch` that checks every answer against the OpenAPI documents of the platform. */
async function createCheckedFetch(baseUrl: string, profile: Platform['profile']): Promise<typeof fetch> {
  const read = async (path: string) => (await fetch(`${baseUrl}${path}`)).text();
  const check = await openApiCheckFor(profile, read, { without: ['MalformedUndeliveredWebhook'] });
  return async (input, init) => {
    const answer = await fetch(input, init);
    const path = String(input).slice(baseUrl.length);
    if (documentPaths.includes(path)) return answer;
    const { method = 'GET' } = init ?? {};
    const { status } = answer;
    const contentType = answer.headers.get('content-type') ?? undefined;
    const text = await answer.clone().text();
    const misfit = check({ method, path, status, contentType, text });
    if (misfit !== undefined) misfits.push(`${method} ${path}: ${status} ${text}: ${misfit}`);
    return answer;
  };
}

/** Answers that contradict the OpenAPI documents. */
const misfits: string[] = [];

async function tokenOf(baseUrl: string, { profile, clock }: Platform, send: typeof fetch): Promise<string> {
  const { accessToken } = await fetchToken({
    authUrl: baseUrl,
    ...defaultCredentials,
    profile,
    fetch: send,
    now: clock.now,
    timeout: AbortSignal.timeout,
  });
  return accessToken;
}

/** Registers a webhook of the partner for each of these event types. */
export async function registerPartner({ call, partner }: Contract, ...eventTypes: readonly string[]): Promise<void> {
  for (const eventType of eventTypes) {
    const answer = await call('POST', platformProfile.parse({}).webhookPaths.webhooks, {
      body: { eventType, url: partner.url(eventType), headers: [{ name: 'x-secret', value: 'abc' }] },
    });
    expect(answer.status).toBe(200);
  }
}
