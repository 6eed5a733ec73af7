import type { FailedDelivery } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';

/** A delivery to another system fails, whose webhooks are registered beside ours. */
export type ForeignRecordAction = {
  readonly type: 'fail elsewhere';
  readonly eventType: string;
  readonly url: string;
};

/** Goes into the body of every such delivery: nothing of ours may have it. */
export const foreignCanary = 'CANARY-another-system';

/** Of one type that we register as well, and of one that we do not. */
const eventTypes = ['TRANSFER_NOTIFICATION', 'SAVINGS_PLAN_NOTIFICATION'] as const;

const maxRecords = 3;

/** Where the other system has the webhooks of a type. */
export const foreignUrl = (eventType: string) => `https://other.example/hooks/${eventType}`;

/** The records of another system that come into the list of undelivered webhooks. */
export function planForeignRecords({ faults, duration }: { readonly faults: Faults; readonly duration: number }) {
  const kind = 'undelivered record of another system';
  if (!faults.happens(kind)) return [];
  return Array.from({ length: 1 + Math.floor(faults.draw(kind) * maxRecords) }, (_, index) => {
    const eventType = eventTypes[index % eventTypes.length] ?? 'TRANSFER_NOTIFICATION';
    const url = foreignUrl(eventType);
    const what = `a ${eventType} of another system is undelivered`;
    return { at: faults.draw(kind) * duration, type: 'fail elsewhere', what, eventType, url } as const;
  });
}

/** A delivery to another system, as it failed. @param createdOn when its webhook was registered */
export function foreignDelivery(
  { eventType, url }: Pick<ForeignRecordAction, 'eventType' | 'url'>,
  { createdOn, id }: { readonly createdOn: string; readonly id: string },
): FailedDelivery {
  return {
    webhook: { eventType, url, createdOn, modifiedOn: createdOn },
    body: JSON.stringify({ transferId: `foreign-${id}`, status: 'PENDING', name: foreignCanary }),
    errorMessage: 'The other system is down.',
  };
}

/** Whether an undelivered record is of a webhook of another system. */
export function isForeign(record: object): boolean {
  return JSON.stringify(record).includes(foreignCanary);
}
