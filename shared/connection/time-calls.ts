import type { Metrics } from '#shared/lambda/metrics.ts';
import type { PlatformFetch } from '#shared/platform/client/fetch.ts';

export type TimeCallsDeps = { readonly now: () => Date; readonly metrics: Pick<Metrics, 'time'> };

/** Measures how long the platform takes to answer, or until the attempt fails. Bodies are read later, and not measured. */
export function timeCalls(fetch: PlatformFetch, { now, metrics }: TimeCallsDeps): PlatformFetch {
  return async (url, request) => {
    const startedAt = now().getTime();
    try {
      return await fetch(url, request);
    } finally {
      metrics.time('PlatformCallDuration', now().getTime() - startedAt);
    }
  };
}
