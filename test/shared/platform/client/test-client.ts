import { inspect } from 'node:util';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { createPlatformClient, type PlatformClient, type PlatformClientDeps } from '#shared/platform/client/client.ts';
import type { PlatformError } from '#shared/platform/client/errors.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { TokenSource } from '#shared/platform/token/token.ts';

export const personId = '6ba7b810-9dad-41d1-80b4-00c04fd430c8';
export const otherId = '0190a6f0-1234-7abc-8def-0123456789ab';
export const requestor = '3d813cbb-47fb-42ba-91df-831e1593ac29';

/** Looks like nothing else that a call may hold. */
export const canaryToken = 'CANARYTOKENeyJhbGciOiJIUzI1NiJ9';

export type TestClient = {
  readonly client: PlatformClient;
  /** The pauses before retries, in milliseconds. They take no time, but the clock moves on. */
  readonly pauses: readonly number[];
  readonly clock: { time: number };
  readonly tokens: CountedTokens;
};

export type CountedTokens = TokenSource & { reads: boolean[]; reported: string[]; current: string };

/** A token that is always valid, and what was asked of it: for each read, whether it was a fresh one. */
export function countedTokens(): CountedTokens {
  const source: CountedTokens = {
    reads: [],
    reported: [],
    current: canaryToken,
    read: async ({ fresh = false } = {}) => {
      source.reads.push(fresh);
      return source.current;
    },
    reportRejected: async (token) => {
      source.reported.push(token);
    },
  };
  return source;
}

export type TestClientOptions = Partial<Omit<PlatformClientDeps, 'profile' | 'tokens'>> & {
  readonly profile?: Parameters<typeof platformProfile.parse>[0];
  readonly tokens?: Partial<TokenSource>;
};

export function createTestClient(
  baseUrl: string,
  { profile = {}, tokens, ...deps }: TestClientOptions = {},
): TestClient {
  const pauses: number[] = [];
  const clock = { time: Date.parse('2026-01-02T03:04:05.678Z') };
  const counted = countedTokens();
  const client = createPlatformClient({
    baseUrl,
    profile: platformProfile.parse(profile),
    tokens: { ...counted, ...tokens },
    fetch: createPlatformFetch(),
    now: () => new Date(clock.time),
    random: () => 0.5,
    wait: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      pauses.push(milliseconds);
      clock.time += milliseconds;
    },
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
    ...deps,
  });
  return { client, pauses, clock, tokens: counted };
}

/** What a call was refused with. */
export async function failureOf(work: Promise<unknown> | (() => Promise<unknown>)): Promise<unknown> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    return error;
  }
  throw new Error('The call succeeded.');
}

/** The same, if it is of this class. */
export async function errorOf<Kind extends PlatformError>(
  kind: abstract new (...parameters: never[]) => Kind,
  work: Promise<unknown> | (() => Promise<unknown>),
): Promise<Kind> {
  const error = await failureOf(work);
  if (error instanceof kind) return error;
  throw error;
}

/** Every text of an error that a log could contain. */
export function saidBy(error: unknown): string {
  const parts = [inspect(error, { showHidden: true, depth: null }), JSON.stringify(error), String(error)];
  for (let one = error; one instanceof Error; one = one.cause) parts.push(one.message, one.stack ?? '');
  return parts.join('\n');
}

export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(items);
}
