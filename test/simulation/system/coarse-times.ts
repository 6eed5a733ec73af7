import type { UndeliveredRecord } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';

export type CoarseTimesDeps = {
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly faults: Faults;
  /** Has a delivery fail. */
  readonly failOne: () => void;
};

/** In milliseconds: until when the records come to light. */
const faultyTime = 20 * 60_000;

/** Fewer than the drain marks one by one, and more than as many walks as a history has until it must be at rest. */
const many = 18;

/** A platform of which createdOn has whole seconds, on which many deliveries fail in one of them. */
export function createCoarseTimes({ scheduler, faults, failOne }: CoarseTimesDeps) {
  const isCoarse = faults.happens('undelivered records of one second');
  const failMany = () => {
    for (let left = many; left > 0; left -= 1) failOne();
  };
  if (isCoarse) scheduler.after((0.6 + 0.4 * faults.draw('undelivered records of one second')) * faultyTime, failMany);
  return {
    /** Records as the platform shows them. */
    listed: (records: readonly UndeliveredRecord[]): UndeliveredRecord[] =>
      isCoarse ? records.map(toSecond) : [...records],
  };
}

function toSecond(record: UndeliveredRecord): UndeliveredRecord {
  const { createdOn } = record;
  return typeof createdOn === 'string' ? { ...record, createdOn: createdOn.replace(/\.\d+Z$/, 'Z') } : record;
}
