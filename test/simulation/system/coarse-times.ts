import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';

export type CoarseTimesDeps = {
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly faults: Faults;
  /** Makes a delivery fail. */
  readonly failOne: () => void;
};

/** In milliseconds: the time until which the records are listed. */
const faultyTime = 20 * 60_000;

/** Fewer records than the drain marks one by one, and more than the walks of a history until its idle deadline. */
const many = 18;

/** A platform whose createdOn has whole seconds, and on which many deliveries fail within one second. */
export function createCoarseTimes({ scheduler, faults, failOne }: CoarseTimesDeps) {
  const isCoarse = faults.happens('undelivered records with equal times');
  const failMany = () => {
    for (let left = many; left > 0; left -= 1) failOne();
  };
  if (isCoarse)
    scheduler.after((0.6 + 0.4 * faults.draw('undelivered records with equal times')) * faultyTime, failMany);
  return {
    /** The records as the platform lists them. */
    listed: (records: readonly UndeliveredRecord[]): UndeliveredRecord[] =>
      isCoarse ? records.map(toSecond) : [...records],
  };
}

function toSecond(record: UndeliveredRecord): UndeliveredRecord {
  const { createdOn } = record;
  return typeof createdOn === 'string' ? { ...record, createdOn: createdOn.replace(/\.\d+Z$/, 'Z') } : record;
}
