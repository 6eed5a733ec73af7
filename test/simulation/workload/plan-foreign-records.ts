import type { Faults } from '#test/simulation/faults/faults.ts';

/** A delivery to another system fails, whose webhooks are registered beside ours. */
export type ForeignRecordDeed = {
  readonly act: 'fail elsewhere';
  readonly eventType: string;
  readonly url: string;
};

/** Goes into the body of every such delivery: nothing of ours may have it. */
export const foreignCanary = 'CANARY-another-system';

/** Of one type that we register as well, and of one that we do not. */
const eventTypes = ['TRANSFER_NOTIFICATION', 'SAVINGS_PLAN_NOTIFICATION'] as const;

const most = 3;

/** The records of another system that come into the list of undelivered webhooks. */
export function planForeignRecords({ faults, duration }: { readonly faults: Faults; readonly duration: number }) {
  const kind = 'undelivered record of another system';
  if (!faults.happens(kind)) return [];
  return Array.from({ length: 1 + Math.floor(faults.draw(kind) * most) }, (_, index) => {
    const eventType = eventTypes[index % eventTypes.length] ?? 'TRANSFER_NOTIFICATION';
    const url = `https://other.example/hooks/${eventType}`;
    const what = `a ${eventType} of another system is undelivered`;
    return { at: faults.draw(kind) * duration, act: 'fail elsewhere', what, eventType, url } as const;
  });
}

/** Whether an undelivered record is of a webhook of another system. */
export function isForeign(record: object): boolean {
  return JSON.stringify(record).includes(foreignCanary);
}
