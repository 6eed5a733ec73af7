import { expect } from 'vitest';
import * as z from 'zod';
import { createPlatformApp } from '#sandbox/platform/app/app.ts';
import { createPlatform, type Platform, type PlatformOptions } from '#sandbox/platform/app/platform.ts';
import { type Answered, type OpenApiCheck, openApiCheckFor } from '#test/openapi/openapi-check.ts';

export const startTime = new Date('2026-11-21T08:00:00Z');

/** What the platform has sent, in the order in which it was. */
export type Sent = { readonly eventType: string; readonly body: Readonly<Record<string, unknown>> };

/** A `fetch` for the webhooks that `registerWebhooks` registers: answers 200, and keeps what was sent. */
export function keepSent() {
  const sent: Sent[] = [];
  const keep: typeof fetch = async (url, init) => {
    const body = z.record(z.string(), z.unknown()).parse(JSON.parse(String(init?.body)));
    sent.push({ eventType: new URL(String(url)).pathname.slice(1), body });
    return new Response(null, { status: 200 });
  };
  return { sent, fetch: keep };
}

/** Registers a webhook for each of these event types, by default for all. */
export function registerWebhooks({ registrations }: Pick<Platform, 'registrations'>, eventTypes?: readonly string[]) {
  for (const eventType of eventTypes ?? registrations.eventTypes)
    registrations.register({ eventType, url: `https://partner.example/${eventType}` });
}

/** A platform with a frozen clock. @param errors takes what should not happen */
export function createFrozenPlatform(errors: unknown[], options: Partial<PlatformOptions> = {}): Platform {
  return createPlatform({
    frozenAt: startTime,
    fetch,
    now: () => new Date(),
    onError: (error) => errors.push(error),
    ...options,
  });
}

export type TestPlatformOptions = Partial<PlatformOptions> & {
  /** Whether the list of undelivered webhooks may have malformed ones in it: they fit another schema. */
  readonly isMalformedExpected?: boolean;
};

/** A platform with a frozen clock, and a token for it. */
export function startPlatform({ isMalformedExpected = false, ...options }: TestPlatformOptions = {}) {
  const errors: unknown[] = [];
  const platform = createFrozenPlatform(errors, options);
  const app = createPlatformApp(platform);
  let token = '';
  let check: OpenApiCheck | undefined;

  /** As it comes, held against no OpenAPI: for what a fault puts in the place of an answer. */
  async function requestRaw(method: string, path: string, { body, headers = {} }: RequestOptions = {}) {
    const isForm = body instanceof URLSearchParams || body instanceof FormData;
    const answer = await app.request(path, {
      method,
      headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isForm ? body : asBody(body) }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Every answer is held against the OpenAPI of what was called. */
  async function request(method: string, path: string, options: RequestOptions = {}) {
    const { status, headers, text } = await requestRaw(method, path, options);
    await expectDescribed({ method, path, status, contentType: headers.get('content-type') ?? undefined, text });
    return { status, body: text === '' ? undefined : parse(text) };
  }

  /** Fails if an answer is not as the OpenAPI has it. */
  async function expectDescribed(answered: Answered): Promise<void> {
    check ??= await createCheck();
    const { method, path, status, text } = answered;
    expect(check(answered), `${method} ${path}: ${status} ${text}`).toBeUndefined();
  }

  function createCheck(): Promise<OpenApiCheck> {
    const read = async (path: string) => (await app.request(path)).text();
    const without = isMalformedExpected ? [] : ['MalformedUndeliveredWebhook'];
    return openApiCheckFor(platform.profile, read, { without });
  }

  /** Issued without HTTP, if faults could match; replaced when the clock has passed its expiry. */
  function validToken(): string {
    try {
      platform.tokens.check(`Bearer ${token}`);
    } catch {
      token = platform.tokens.issue().accessToken;
    }
    return token;
  }

  return {
    ...platform,
    app,
    /** What the platform said should not have happened. */
    errors,
    /** A call without a token, as to the control API. */
    request,
    requestRaw,
    expectDescribed,
    /** A call with a token. */
    send: (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const authorization = `Bearer ${validToken()}`;
      return request(method, path, { body, headers: { authorization, ...headers } });
    },
  };
}

type RequestOptions = { readonly body?: unknown; readonly headers?: Record<string, string> };

export type TestPlatform = ReturnType<typeof startPlatform>;

/** Text and bytes as they are; all else as JSON. */
function asBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body);
}

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
