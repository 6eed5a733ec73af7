import type { Platform } from '#sandbox/platform/platform.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';

export type CoarseTimesDeps = {
  readonly list: Platform['undelivered']['list'];
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly faults: Faults;
  /** Has a delivery fail. */
  readonly failOne: () => void;
};

/** In milliseconds: until when the records come to light. */
const faultyTime = 20 * 60_000;

/** Fewer than the drain marks one by one, and more than as many walks as a history has until it must be at rest. */
const many = 18;

/** The list of a platform whose createdOn has whole seconds, on which many deliveries fail in one of them. */
export function createCoarseTimes({ list, scheduler, faults, failOne }: CoarseTimesDeps): typeof list {
  if (!faults.happens('undelivered records of one second')) return list;
  const failMany = () => {
    for (let left = many; left > 0; left -= 1) failOne();
  };
  scheduler.after(faults.draw('undelivered records of one second') * faultyTime, failMany);
  return (query) => {
    const { data, ...page } = list(query);
    return { ...page, data: data.map((record) => ({ ...record, createdOn: toSecond(record.createdOn) })) };
  };
}

function toSecond<CreatedOn extends string | null | undefined>(createdOn: CreatedOn) {
  return createdOn?.replace(/(:\d\d)\.\d+Z$/, '$1Z');
}
