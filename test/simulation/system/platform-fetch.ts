import type { FetchedAnswer, PlatformFetch } from '#shared/platform/client/http.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { SimulatedProcess } from '#test/simulation/scheduler/process.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { simulatedProfile } from './platform-app.ts';
import type { RequestLog } from './request-log.ts';
import type { SimulatedPlatform } from './simulated-platform.ts';

export type PlatformFetchDeps = {
  readonly platform: SimulatedPlatform;
  readonly faults: Faults;
  readonly scheduler: Scheduler;
  readonly onCall: (token: string) => void;
  readonly requests: Pick<RequestLog, 'add'>;
  readonly onMark: (id: string) => { readonly answered: (status: number) => void };
};

/** In milliseconds: shorter than the timeout of an attempt. */
const maxAnswerMs = 8_000;

const { markDelivered: markPath } = simulatedProfile.webhookPaths;

const staleSocket = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

/** The `fetch` of a process. Its kept-alive connections can be stale after a freeze. */
export function createPlatformFetch(
  process: SimulatedProcess,
  { platform, faults, scheduler, onCall, requests, onMark }: PlatformFetchDeps,
): PlatformFetch {
  let thawsAtLastCall = 0;
  let hasConnection = false;

  async function call(target: string, init: Parameters<PlatformFetch>[1]): Promise<FetchedAnswer> {
    const url = new URL(target);
    const service = url.pathname === simulatedProfile.token.path ? 'token-service' : 'platform';
    const cursor = url.searchParams.has('cursor') ? '?cursor' : '';
    const operation = `${init.method} ${url.pathname}${cursor}`;
    const token = init.headers['authorization']?.slice('Bearer '.length) ?? '';
    if (service === 'platform') onCall(token);
    requests.add(process, operation, init.body);
    const isStale = hasConnection && process.thaws() > thawsAtLastCall && faults.happens('stale socket after a thaw');
    thawsAtLastCall = process.thaws();
    hasConnection = !isStale;
    const answer = () => {
      if (isStale) throw staleSocket();
      return platform.answer(target, init);
    };
    const mark = url.pathname === markPath ? onMark(markedId(init.body)) : undefined;
    const response = await process.io({ service, operation, caller: process.caller }, answer, init.signal);
    if (response.status === 401) platform.noteRefusal(token);
    mark?.answered(response.status);
    if (isReadOfOne(operation) && faults.happens('entity changed during a read'))
      await changeMeanwhile(idIn(url), init.signal);
    return response;
  }

  /** Changes the read entity before the response arrives. */
  async function changeMeanwhile(id: string, signal: AbortSignal): Promise<void> {
    const draw = faults.draw('entity changed during a read');
    await scheduler.runAs(platform.owner, () => platform.persons.moveOwner(id, draw));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    scheduler.after(draw * maxAnswerMs, resolve, { owner: process });
    signal.addEventListener('abort', () => reject(signal.reason));
    return promise;
  }

  return call;
}

function markedId(body: Parameters<PlatformFetch>[1]['body']): string {
  return JSON.parse(Buffer.from(body ?? '{}').toString()).undeliveredWebhookId;
}

function idIn({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf('/') + 1);
}

/** Whether the call reads one person or one verification. */
function isReadOfOne(operation: string): boolean {
  return /^GET \/entities\/[a-z-]+\/./.test(operation);
}
