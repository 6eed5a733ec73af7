import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { BrokenPromise } from './promise.ts';

/** In characters: enough for two cursors of the maximum length and the other progress of a walk. */
const maxProgressLength = 16_384;

/**
 * Only one of several overlapping runs continues, and no run overwrites the checkpoint of another. Marks and walks depend on
 * this check. No response of the platform can make a checkpoint exceed its maximum size (promise 10).
 */
export function checkCheckpoint(before: Item | undefined, after: Item): BrokenPromise | undefined {
  const [from, to] = [Number(before?.['version']?.N ?? 0), Number(after['version']?.N)];
  const job = after['job']?.S;
  const promise = job === 'drain' ? 5 : 10;
  const length = after['progress']?.S?.length ?? 0;
  if (length > maxProgressLength) return { promise: 10, what: `The checkpoint of ${job} has ${length} characters.` };
  return to === from + 1 ? undefined : { promise, what: `A run of ${job} overwrites the checkpoint of another run.` };
}
