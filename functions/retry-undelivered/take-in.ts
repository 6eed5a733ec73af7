import type { BatchQueue } from '#shared/batch-queue.ts';
import type { CommitEvent } from '#shared/commit-event.ts';
import type { EventTypes } from '#shared/event.ts';
import type { CommitOutcome, EventStore } from '#shared/event-store.ts';
import type { Metrics } from '#shared/metrics.ts';
import { compareTimestamps } from '#shared/platform/timestamp.ts';
import type { UndeliveredRecord } from '#shared/platform/webhooks.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { writeEventMessage } from '#shared/webhook-delivery.ts';
import { type Intake, readUndelivered, type Undelivered } from './undelivered-record.ts';

export type TakeInDeps = {
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly commitEvent: CommitEvent;
  readonly queue: BatchQueue;
  readonly profile: EventTypes;
  readonly now: () => Date;
  readonly metrics: Metrics;
};

/** Writes to the event store under way at once. */
const commitsAtOnce = 25;

/**
 * Takes in the records of a page: commits each to the event store, then hands it to the webhooks queue. It is handed
 * over each time that it is listed, since only then nothing can be committed and not handed over.
 *
 * @param horizon the newest createdOn that is known from before: what is not newer is most likely committed already
 * @throws when one may not be committed, or not be handed over: the whole page is to be taken in again
 */
export type TakeIn = (
  records: readonly UndeliveredRecord[],
  horizon: string | undefined,
) => Promise<readonly Undelivered[]>;

export function createTakeIn(deps: TakeInDeps): TakeIn {
  const { eventStore, commitEvent, queue, metrics } = deps;

  async function commit({ event, delivery }: Intake, isExpected: boolean): Promise<CommitOutcome> {
    if (!isExpected) return commitEvent(event, delivery);
    // One read, where commit would try two writes in vain first.
    const row = await eventStore.read(event.eventId);
    const isKnown = row?.deliveryIds.some((id) => id.endsWith(`#${delivery.deliveryId}`)) ?? false;
    return isKnown ? 'repeated' : commitEvent(event, delivery);
  }

  async function take(intake: Intake, isExpected: boolean): Promise<void> {
    const outcome = await commit(intake, isExpected);
    if (outcome !== 'repeated') metrics.count('UndeliveredDrained');
    if (outcome === 'stored' && intake.event.quarantineReason !== undefined) metrics.count('UndeliveredQuarantined');
  }

  return async (records, horizon) => {
    const undelivered = records.map((record) => readUndelivered(record, deps));
    const intakes = undelivered.flatMap((one) =>
      one.intakes.map((intake) => ({ intake, isExpected: isExpected(one, horizon) })),
    );
    await sideBySide(intakes, commitsAtOnce, ({ intake, isExpected: expected }) => take(intake, expected));
    const eventIds = new Set(intakes.map(({ intake }) => intake.event.eventId));
    await queue.sendAll([...eventIds].map(writeEventMessage));
    metrics.count('UndeliveredFound', records.length);
    return undelivered;
  };
}

/** Of a record without a time it is not known: its delivery would get another name each time, so look first. */
function isExpected({ createdOn }: Undelivered, horizon: string | undefined): boolean {
  return createdOn === undefined || (horizon !== undefined && compareTimestamps(createdOn, horizon) <= 0);
}
