import type { Faults } from '#test/simulation/faults/faults.ts';
import type { OnboardingPlan } from './plan-onboardings.ts';

/** The event types that an erasure keeps, regardless of the persons in their bodies. */
export const keptEventTypes: ReadonlySet<string> = new Set([
  'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
  'TRANSFER_NOTIFICATION',
]);

type BusinessAction = {
  readonly at: number;
  readonly type: 'notify';
  readonly what: string;
  readonly eventType: string;
  readonly body: string;
};

type Options = { readonly faults: Faults; readonly duration: number };

/** Two per person, so that one order is often before the erasure of the person and one after it. */
const ordersPerPerson = 2;

/** Plans orders with the externalId of a person. Each kind of record has its own ids, so that the two are unrelated. */
export function planNamesakes({ persons }: OnboardingPlan, { faults, duration }: Options): readonly BusinessAction[] {
  const kind = 'order with the externalId of a person';
  return persons.flatMap(({ request: { externalId } }, index) => {
    if (!faults.happens(kind)) return [];
    return Array.from({ length: ordersPerPerson }, (_, number) => {
      const orderId = `namesake-${index}-${number}`;
      const body = JSON.stringify({ orderId, status: 'RECEIVED', externalId });
      const what = `${orderId}, with the externalId of a person, is RECEIVED`;
      const at = faults.draw(kind) * duration;
      return { at, type: 'notify', what, eventType: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION', body } as const;
    });
  });
}

/** More than the state of an entity holds, so that events move out of the state. */
const reportsOfOneEntity = 14;

/** Plans more reports about one transfer than the state of an entity holds. */
export function planManyReports(startAt: number, { faults, duration }: Options): readonly BusinessAction[] {
  const kind = 'many reports about one entity';
  if (!faults.happens(kind)) return [];
  const first = faults.draw(kind) * duration * 0.7;
  return Array.from({ length: reportsOfOneEntity }, (_, index) => {
    const at = first + index * faults.draw(kind) * 20_000;
    const isLast = index === reportsOfOneEntity - 1;
    const status = isLast ? 'PROCESSED' : 'PENDING';
    const modifiedOn = new Date(startAt + first + index * 20_000).toISOString();
    const body = JSON.stringify({ transferId: 'long-life', status, modifiedOn });
    return { at, type: 'notify', what: `long-life is ${status}`, eventType: 'TRANSFER_NOTIFICATION', body } as const;
  });
}
