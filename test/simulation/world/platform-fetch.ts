import type { Faults } from '#test/simulation/faults/faults.ts';
import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import { simulatedProfile } from './platform-app.ts';
import type { SimulatedPlatform } from './simulated-platform.ts';

export type PlatformFetchDeps = {
  readonly platform: SimulatedPlatform;
  readonly faults: Faults;
  readonly onCall: (token: string) => void;
};

const staleSocket = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });

/** `fetch` of a process, to the platform alone. Connections that it kept alive may be stale once it was frozen. */
export function createPlatformFetch(
  process: SimulatedProcess,
  { platform, faults, onCall }: PlatformFetchDeps,
): typeof fetch {
  let thawsAtLastCall = 0;
  let hasConnection = false;

  async function call(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(String(input));
    const service = url.pathname === simulatedProfile.token.path ? 'token-service' : 'platform';
    const cursor = url.searchParams.has('cursor') ? '?cursor' : '';
    const operation = `${init.method ?? 'GET'} ${url.pathname}${cursor}`;
    if (service === 'platform') onCall(new Headers(init.headers).get('authorization')?.slice('Bearer '.length) ?? '');
    const isStale = hasConnection && process.thaws() > thawsAtLastCall && faults.happens('stale socket after a thaw');
    thawsAtLastCall = process.thaws();
    hasConnection = !isStale;
    const answer = () => {
      if (isStale) throw staleSocket();
      return platform.answer(String(input), init);
    };
    return process.io({ service, operation, caller: process.caller }, answer, init.signal ?? undefined);
  }

  return call;
}
