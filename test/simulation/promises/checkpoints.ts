import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { BrokenPromise } from './promise.ts';

/** In characters: two cursors of the longest kind, and all else that a walk keeps. */
const maxProgressLength = 16_384;

/**
 * Of runs that overlap one goes on: none overwrites what another has saved. Marks, and walks, rest on it. Nothing that the
 * platform gives makes a checkpoint grow (promise 10).
 */
export function checkCheckpoint(before: Item | undefined, after: Item): BrokenPromise | undefined {
  const [from, to] = [Number(before?.['version']?.N ?? 0), Number(after['version']?.N)];
  const job = after['job']?.S;
  const promise = job === 'drain' ? 5 : 10;
  const length = after['progress']?.S?.length ?? 0;
  if (length > maxProgressLength) return { promise: 10, what: `The checkpoint of ${job} has ${length} characters.` };
  return to === from + 1 ? undefined : { promise, what: `A run of ${job} overwrites what another has saved.` };
}
