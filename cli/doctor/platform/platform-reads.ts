import { CliError } from '#cli/command/command-error.ts';
import {
  isSuccess,
  type PlatformAnswer,
  type PlatformFetch,
  parseBody,
  readPlatformAnswer,
} from '#shared/platform/client/http.ts';
import type { PlatformAccess } from './platform-access.ts';

/** Why there is no answer, in words of this command. */
export type Missed = { readonly missed: string };

/** What the platform answered. It stays in memory: findings have only its names, types, counts and words. */
export type Observed = PlatformAnswer | Missed;

export type Query = Readonly<Record<string, string | number>>;

export type PlatformReads = {
  /** Requests a token, with which the reads are sent. */
  readonly requestToken: (path: string) => Promise<Observed>;
  /** Whether a token came that can be sent. */
  readonly hasToken: () => boolean;
  readonly get: (path: string, query?: Query, requestorId?: string) => Promise<Observed>;
};

export type PlatformReadsDeps = {
  readonly fetch: PlatformFetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly timeout: (milliseconds: number) => AbortSignal;
};

/** Of one run. */
export const maxReads = 50;
/** The path of the profile, and one other. */
const maxTokenRequests = 2;
/** In milliseconds, before each read: five reads a second at most. */
const pause = 200;

export function isAnswer(observed: Observed | undefined): observed is PlatformAnswer {
  return observed !== undefined && 'status' in observed;
}

/** The paths that token services have: those of the specification (section 4), and of OpenID Connect servers. */
export const tokenPaths = ['/oauth2/token', '/connect/token'] as const;

/**
 * Lets through GETs below {base_url}, and token requests to the token service. Anything else never leaves this machine.
 *
 * @returns a function that throws a TypeError for any other request, and a CliError for one too many
 */
export function allowReadsOnly(
  fetch: PlatformFetch,
  { baseUrl, authUrl, profile }: Pick<PlatformAccess, 'baseUrl' | 'authUrl' | 'profile'>,
): PlatformFetch {
  const tokenUrls = new Set([profile.token.path, ...tokenPaths].map((path) => `${authUrl}${path}`));
  let reads = 0;
  let tokenRequests = 0;
  return (url, request) => {
    const isRead = request.method === 'GET' && request.body === undefined && url.startsWith(`${baseUrl}/`);
    const isTokenRequest = request.method === 'POST' && tokenUrls.has(url);
    if (!isRead && !isTokenRequest) throw new TypeError('A probe only reads.');
    if (isRead) reads += 1;
    else tokenRequests += 1;
    if (reads > maxReads || tokenRequests > maxTokenRequests)
      throw new CliError('BUDGET_SPENT', 'not asked, because the budget of requests is spent');
    return fetch(url, request);
  };
}

/** One request at a time. After 429 nothing more is sent. */
export function createPlatformReads(
  access: PlatformAccess,
  { fetch, wait, timeout }: PlatformReadsDeps,
): PlatformReads {
  const { baseUrl, authUrl, credentials, profile } = access;
  const send = allowReadsOnly(fetch, access);
  let token: string | undefined;
  let isThrottled = false;

  async function observe(url: string, request: Omit<Parameters<PlatformFetch>[1], 'redirect' | 'signal'>) {
    if (isThrottled) return { missed: 'not asked, because the platform answered 429 before' };
    const { attempt } = profile.deadlines;
    const signal = timeout(attempt);
    try {
      const answer = await send(url, { ...request, redirect: 'manual', signal }).then(readPlatformAnswer);
      isThrottled = answer.status === 429;
      return answer;
    } catch (error) {
      if (error instanceof CliError && error.code === 'BUDGET_SPENT') return { missed: error.message };
      return { missed: signal.aborted ? `no answer within ${attempt} ms` : `no connection${codeOf(error)}` };
    }
  }

  return {
    requestToken: async (path) => {
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
        ...(profile.token.scope !== undefined && { scope: profile.token.scope }),
      });
      const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await observe(`${authUrl}${path}`, { method: 'POST', headers, body: form.toString() });
      if (isAnswer(answer) && isSuccess(answer)) token = tokenOf(parseBody(answer));
      return answer;
    },
    hasToken: () => token !== undefined,
    get: async (path, query, requestorId) => {
      if (token === undefined) return { missed: 'not asked, because there is no token' };
      await wait(pause);
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value));
      const headers = {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(requestorId !== undefined && { 'requestor-id': requestorId }),
      };
      return observe(`${baseUrl}${path}${search.size === 0 ? '' : `?${search}`}`, { method: 'GET', headers });
    },
  };
}

function tokenOf(body: unknown): string | undefined {
  const token = typeof body === 'object' && body !== null && 'access_token' in body ? body.access_token : undefined;
  return typeof token === 'string' && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

/** Such as ` (ECONNREFUSED)`. The message of the error may quote what was sent. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? ` (${code})` : '';
}
