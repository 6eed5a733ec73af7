import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Broken } from './promise.ts';

/** Of runs that overlap one goes on: none overwrites what another has saved. Marks, and walks, rest on it. */
export function checkCheckpoint(before: Item | undefined, after: Item): Broken | undefined {
  const [from, to] = [Number(before?.['version']?.N ?? 0), Number(after['version']?.N)];
  const job = after['job']?.S;
  const promise = job === 'drain' ? 5 : 10;
  return to === from + 1 ? undefined : { promise, what: `A run of ${job} overwrites what another has saved.` };
}
