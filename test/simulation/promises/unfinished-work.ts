import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import { type EventRow, hasDelivery, lastReceivedOn } from '#shared/events/event-row.ts';
import { readBackEventType } from '#shared/events/read-back.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import { isEndless, isOfPlatform } from '#test/simulation/faults/long-failure.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { maxSkewMs } from '#test/simulation/system/skew.ts';
import { isForeign } from '#test/simulation/workload/plan-foreign-records.ts';
import { findReplayable } from '#test/simulation/workload/replay-quarantined.ts';
import { readOnboardingOnce } from './onboardings.ts';
import type { FinalCheck } from './promise.ts';
import { lastWalkOf } from './reconciliation.ts';
import { storedRows } from './stored-events.ts';

/** Dead-letter queues of functions that do not call the platform, and of those that do. */
const eventQueues = ['webhooks-dlq', 'requests-dlq'];
const callerQueues = ['onboarding-dlq', 'token-refreshes-dlq'];

/** Promise 9: describes unfinished work; undefined when no work is left. */
export function findUnfinished(system: SimulatedSystem): string | undefined {
  const { cloud, platform } = system;
  if (cloud.sqs.queue('webhooks').all().length > 0) return 'the queue of webhooks is not empty';
  if (cloud.sqs.queue('requests').all().length > 0) return 'the queue of requests is not empty';
  if (cloud.sqs.queue('token-refreshes').all().length > 0) return 'the queue of token refreshes is not empty';
  if (platform.core.deliveries.waiting() > 0) return 'deliveries are still under way';
  const left = findMarkable(platform.listed(platform.core.undelivered.all()));
  const refusesMarks = system.longFailure !== undefined && isEndless(system.longFailure);
  if (left.length > 0 && !refusesMarks) return `${left.length} webhooks are undelivered`;
  if (hasUnstored(system)) return 'a webhook is not stored, or not handed over';
  if (left.length > 0 && system.refusedMarks() < 2) return 'the drain does not report that marks are refused';
  if (findReplayable(system).length > 0) return 'events are in quarantine that could be replayed';
  return findUnregistered(system) ?? findUnreconciled(system) ?? findInvalidToken(system);
}

/** Reconciliation is complete after a walk that began to read its lists long enough after the last report. */
function findUnreconciled(system: SimulatedSystem): string | undefined {
  if (!system.isReconciling()) return undefined;
  const { grace, readBackAfter } = system.environment.reconciliation;
  const webhooks = storedRows(system).filter(({ eventType }) => eventType !== readBackEventType);
  const lastReportAt = Math.max(
    system.faultsEndedAt(),
    lastRefusalOf(system),
    ...webhooks.map((row) => Date.parse(lastReceivedOn(row))),
    ...foundVerifications(system),
  );
  const quietAt = lastReportAt + Math.max(grace, readBackAfter) + maxSkewMs;
  const { listedOn } = lastWalkOf(system) ?? {};
  const isReconciled = listedOn !== undefined && Date.parse(listedOn) > quietAt;
  return isReconciled ? undefined : 'reconciliation is not complete';
}

/**
 * The times at which onboardings with a verification reached their steps. With lost webhooks, only the onboarding knows its
 * verification, and reconciliation can query the verification from then on.
 */
function foundVerifications({ cloud }: SimulatedSystem): readonly number[] {
  const rows = cloud.dynamodb.table('onboardings').all().map(readOnboardingOnce);
  return rows.flatMap((row) =>
    isErased(row) || row.state.identificationVerificationId === undefined ? [] : [Date.parse(row.state.since)],
  );
}

/** When a revoked token was last replaced. Earlier calls were refused, and their queries are left to the next walk. */
function lastRefusalOf({ cloud, platform }: SimulatedSystem): number {
  const versions = cloud.secretsManager.versions('platform-token');
  const replaced = versions.slice(1).filter(({ createdAt }, index) => {
    const { accessToken } = JSON.parse(versions[index]?.text ?? '{}');
    const { revokedAt = Number.POSITIVE_INFINITY, refusedAt = Number.POSITIVE_INFINITY } =
      platform.tokens.get(accessToken) ?? {};
    return Math.min(revokedAt, refusedAt) <= createdAt;
  });
  return Math.max(0, ...replaced.map(({ createdAt }) => createdAt));
}

/** Whether a record is not yet stored or not yet handed over. A record that cannot be read shows only by its stored event. */
function hasUnstored(system: SimulatedSystem): boolean {
  const rows = storedRows(system);
  if (rows.some(isPending)) return true;
  const records = system.platform.core.undelivered.all();
  const handedOver = new Set(rows.flatMap(({ handedOver: some = [] }) => some.map((id) => id.split('#')[1])));
  return records.some((record) => {
    const isText = typeof record.body === 'string' && record.id.isWellFormed();
    const isReadable = isText && !Number.isNaN(Date.parse(record.createdOn ?? ''));
    return isReadable && !isForeign(record) && !handedOver.has(`undelivered:${record.id}`);
  });
}

/** Whether the drain has stored a delivery of the event that it has not handed over yet. */
function isPending({ deliveryIds, handedOver = [] }: EventRow): boolean {
  // A record without a time has another time in each run, and the same id.
  const drained = deliveryIds
    .map((key) => key.slice(key.indexOf('#') + 1))
    .filter((id) => id.startsWith('undelivered:'));
  return drained.some((deliveryId) => !hasDelivery(handedOver, { deliveryId }));
}

/** The records that can be marked: with a time, and older than the records of another system. */
function findMarkable(records: readonly UndeliveredRecord[]): readonly UndeliveredRecord[] {
  const bound = Math.min(
    Number.POSITIVE_INFINITY,
    ...records.filter(isForeign).map(({ createdOn }) => Date.parse(createdOn ?? '')),
  );
  return records.filter(({ createdOn }) => Date.parse(createdOn ?? '') < bound);
}

/** Every registration must have the current secret after a rotation. */
function findUnregistered({ cloud, platform, environment }: SimulatedSystem): string | undefined {
  const { current, previous } = JSON.parse(cloud.secretsManager.versions('webhook-secret').at(-1)?.text ?? '{}');
  if (previous !== undefined) return 'a rotation of the secret is not over';
  const missing = environment.PLATFORM_PROFILE.eventTypes.filter((eventType) => {
    const { headers = [] } = platform.core.registrations.get(eventType) ?? {};
    return headers.every(({ value }) => value !== current);
  });
  return missing.length === 0 ? undefined : `${missing.join(', ')} is not registered with the current secret`;
}

/** The stored token must be valid, because refused callers report it and the refresher replaces it. */
export function findInvalidToken({ cloud, platform, scheduler }: SimulatedSystem): string | undefined {
  const { accessToken } = JSON.parse(cloud.secretsManager.versions('platform-token').at(-1)?.text ?? '{}');
  const issued = platform.tokens.get(accessToken);
  const isValid = issued !== undefined && issued.revokedAt === undefined && issued.expiresAt > scheduler.now();
  return isValid ? undefined : 'the stored token is not valid';
}

/**
 * Promise 9: no fault that ends within hours moves a message to a dead-letter queue. A platform that fails for a day can, if a
 * function calls it.
 */
export const checkDeadLetters: FinalCheck = ({ cloud, longFailure, judged }) => {
  const names = isOfPlatform(longFailure) ? eventQueues : [...eventQueues, ...callerQueues];
  judged(9, names.length);
  const found = names.find((name) => cloud.sqs.queue(name).all().length > 0);
  return found === undefined ? undefined : { promise: 9, what: `A message is in ${found}.` };
};
