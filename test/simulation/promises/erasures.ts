import { isErased, readOnboarding } from '#shared/onboarding-row.ts';
import { stepRow } from '#shared/onboarding-steps.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Broken } from './promise.ts';

/** Promise 8: what was accepted and goes on is never erased under way. @param before the onboarding that was erased */
export function checkErasure(before: Item): Broken | undefined {
  const row = readOnboarding(before);
  if (isErased(row) || stepRow(row.state.step).final) return undefined;
  return { promise: 8, what: `An erasure overwrites an onboarding that goes on: it is ${row.state.step}.` };
}
