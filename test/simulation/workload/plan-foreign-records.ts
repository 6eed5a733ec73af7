import type { FailedDelivery } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';

/** A failed delivery to another system with registrations on the same platform. */
export type ForeignRecordAction = {
  readonly type: 'fail elsewhere';
  readonly eventType: string;
  readonly url: string;
};

/** A marker in the body of every such delivery. Our tables must never contain it. */
export const foreignCanary = 'CANARY-another-system';

/** One type that we register too, and one that we do not. */
const eventTypes = ['TRANSFER_NOTIFICATION', 'SAVINGS_PLAN_NOTIFICATION'] as const;

const maxRecords = 3;

/** The URL at which the other system receives an event type. */
export const foreignUrl = (eventType: string) => `https://other.example/hooks/${eventType}`;

/** Plans records of another system in the list of undelivered webhooks. */
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

/** A failed delivery to another system. @param createdOn the time of the registration */
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

/** Records never change, and the checks read each one every minute. */
const foreign = new WeakMap<object, boolean>();

/** Whether an undelivered record belongs to another system. */
export function isForeign(record: object): boolean {
  const known = foreign.get(record) ?? JSON.stringify(record).includes(foreignCanary);
  foreign.set(record, known);
  return known;
}
