import { isErased, readOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { keptEventTypes } from '#test/simulation/workload/plan-business.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';
import { storedRows } from './stored-events.ts';

/** Promise 8: a running onboarding is never erased. @param before the row before the erasure */
export function checkErasure(before: Item): BrokenPromise | undefined {
  const row = readOnboarding(before);
  if (isErased(row) || stepRow(row.state.step).final) return undefined;
  return { promise: 8, what: `An erasure overwrites a running onboarding in step ${row.state.step}.` };
}

/** Promise 8: an erasure keeps unrelated events, such as an order with the same externalId. */
export const checkKept: FinalCheck = (system) => {
  const kept = storedRows(system).filter(({ eventType }) => keptEventTypes.has(eventType));
  system.judged(8, kept.length);
  const lost = kept.find(({ erasedOn }) => erasedOn !== undefined);
  return lost && { promise: 8, what: `An event of ${lost.eventType} is erased, and is unrelated to the person.` };
};

/** The platform's ids of the persons in erasures that were answered with 204. */
export function erasedIds({ partner }: SimulatedSystem): readonly string[] {
  const erasures = partner.answers().filter(({ operation, status }) => operation === 'erase' && status === 204);
  return erasures.flatMap(({ query }) => query?.['naturalPersonId']?.split(',') ?? []);
}
