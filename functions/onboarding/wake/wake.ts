import type { BatchQueue } from '#shared/aws/queue.ts';
import type { Log } from '#shared/lambda/log.ts';
import { type Metrics, repeatedFailures } from '#shared/lambda/metrics.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { DuePosition } from '#shared/onboarding/onboarding-finder.ts';
import { dueShard, formerDueShards } from '#shared/onboarding/onboarding-keys.ts';
import { endOfLease, writeOnboardingMessage } from '#shared/onboarding/onboarding-message.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';

type WakeDeps = {
  readonly store: Pick<OnboardingStore, 'listDue' | 'load' | 'save'>;
  /** The onboarding queue. */
  readonly queue: BatchQueue;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'count' | 'measure'>;
};

/** The most onboardings that one run sends. The next run, a minute later, sends further ones. */
const maxPerRun = 1_000;

/** Onboardings that are leased together, and sent in one call to SQS. */
const batchSize = 10;

const batchConcurrency = 5;

/** The result of a run. */
export type WakeSummary = { readonly sent: number };

/**
 * Sends the onboardings that are due to the onboarding queue, the earliest first. Each is leased before it is sent: it is due
 * again when the lease ends, so that a crash between the two delays it and loses nothing.
 *
 * An onboarding that cannot be leased or sent does not delay the others.
 *
 * @throws the first failure, after all others were sent
 */
export function createWake({ store, queue, now, log, metrics }: WakeDeps) {
  return async (signal: AbortSignal): Promise<WakeSummary> => {
    const failures: unknown[] = [];
    let sent = 0;
    let oldestMs: number | undefined;
    for (const shard of shardsAt(now())) sent += await sendDue(shard, maxPerRun - sent);
    if (sent > 0) log.info('onboardings woken', { size: sent });
    if (oldestMs !== undefined) metrics.measure('OldestDueAge', oldestMs / 1_000);
    if (failures.length > 0) throw failures[0];
    return { sent };

    /** An onboarding that cannot be sent, such as an expired one, does not count: the pages after it are read, too. */
    async function sendDue(shard: string, most: number): Promise<number> {
      let left = most;
      let start: DuePosition | undefined;
      do {
        if (left === 0 || signal.aborted) break;
        const page = await store.listDue(shard, { by: now(), most: left, start });
        const counts = await mapConcurrent(batchesOf(page.onboardingIds), batchConcurrency, (ids) =>
          sendBatch(ids, shard),
        );
        left -= counts.reduce((sum, count) => sum + count, 0);
        start = page.next;
      } while (start !== undefined);
      return most - left;
    }

    async function sendBatch(onboardingIds: readonly string[], shard: string): Promise<number> {
      if (signal.aborted) return 0;
      const leased = await Promise.all(onboardingIds.map((onboardingId) => leaseSafely(onboardingId, shard)));
      const messages = leased.filter((message) => message !== undefined);
      try {
        await queue.sendAll(messages);
        return messages.length;
      } catch (error) {
        failures.push(error);
        return 0;
      }
    }

    async function leaseSafely(onboardingId: string, shard: string): Promise<string | undefined> {
      try {
        const leased = await lease(onboardingId, shard);
        if (leased !== undefined) oldestMs = Math.max(oldestMs ?? 0, leased.waitedMs);
        return leased?.message;
      } catch (error) {
        log.error('onboarding not leased', { onboardingId, error });
        failures.push(error);
        return undefined;
      }
    }
  };

  /** @returns the message to send, and how long the onboarding was due; undefined if it is not due, or other writers were faster */
  async function lease(
    onboardingId: string,
    shard: string,
  ): Promise<{ message: string; waitedMs: number } | undefined> {
    const row = await store.load(onboardingId);
    const time = now();
    if (row === undefined || isErased(row) || !isDue(row.state, time)) return undefined;
    const dueOn = endOfLease(time);
    const leases = (row.state.leases ?? 0) + 1;
    // The former shards are read once an hour: an onboarding that waited for that is not late.
    const dueBefore = shard === dueShard ? row.state.dueOn : time.toISOString();
    const { dueSince = dueBefore } = row.state;
    const state = { ...row.state, dueOn, leases, dueSince };
    if (!(await store.save({ ...row, version: row.version + 1, state }))) return undefined;
    // Each lease has its own message, so the receives of a message do not count earlier failures.
    if (leases >= repeatedFailures) {
      log.warn('onboarding does not advance', { onboardingId, receives: leases });
      metrics.count('MessagesFailedRepeatedly');
    }
    const waitedMs = time.getTime() - Date.parse(dueSince ?? dueOn);
    return { message: writeOnboardingMessage(onboardingId, dueOn), waitedMs: Math.max(0, waitedMs) };
  }
}

/** The index lags behind the rows. */
function isDue({ dueOn }: { readonly dueOn?: string | undefined }, time: Date): boolean {
  return dueOn !== undefined && Date.parse(dueOn) <= time.getTime();
}

/** An onboarding of release 0.2.0 may be in any shard until its next save: these shards are read once an hour, until release 0.4.0. */
function shardsAt(time: Date): readonly string[] {
  return time.getUTCMinutes() === 0 ? [dueShard, ...formerDueShards] : [dueShard];
}

function batchesOf(onboardingIds: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(onboardingIds.length / batchSize) }, (_, index) =>
    onboardingIds.slice(index * batchSize, (index + 1) * batchSize),
  );
}
