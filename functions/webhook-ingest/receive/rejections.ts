import type { Log } from '#shared/lambda/log.ts';
import type { CountName, Metrics } from '#shared/lambda/metrics.ts';

/** Why a request at the webhooks URL was rejected before its event type and its body were read. */
export type RejectionReason = 'SOURCE_OUT_OF_RANGE' | 'NO_SECRET' | 'WRONG_SECRET';

const metricOf: Readonly<Record<RejectionReason, CountName>> = {
  SOURCE_OUT_OF_RANGE: 'DeliveriesOutOfRange',
  NO_SECRET: 'DeliveriesUnauthorized',
  WRONG_SECRET: 'DeliveriesUnauthorized',
};

export type RejectionsDeps = { readonly log: Log; readonly metrics: Metrics; readonly now: () => Date };

/** In milliseconds: how long rejections are counted before they are written. */
export const writeInterval = 10_000;

/**
 * Counts rejected requests, and writes the counts: the first immediately, then at most every ten seconds, one line of the
 * log for each reason, and one of metrics at the end of the request. A flood of rejections must not become a flood of log
 * lines, and each rejection must be in a count.
 *
 * A process that Lambda never thaws loses what it has counted within its last ten seconds.
 */
export function createRejections({ log, metrics, now }: RejectionsDeps) {
  const counts = new Map<RejectionReason, number>();
  let writtenAt = Number.NEGATIVE_INFINITY;

  function add(reason: RejectionReason): void {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }

  /** To be called with each request, whether it is rejected or not. */
  function writeIfDue(): void {
    const time = now().getTime();
    if (counts.size === 0 || time - writtenAt < writeInterval) return;
    for (const [reason, count] of counts) {
      log.warn('webhooks rejected', { reason, count });
      metrics.count(metricOf[reason], count);
    }
    counts.clear();
    writtenAt = time;
  }

  return { add, writeIfDue };
}
