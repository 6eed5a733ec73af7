import type { FaultKind } from '#test/simulation/faults/fault-kinds.ts';
import type { Call } from '#test/simulation/faults/io-behaviour.ts';
import type { FaultPoint } from './enumerated-faults.ts';

/**
 * Kinds that a read shows as another kind does, or not at all: a read has no effect, so that it does not matter whether and when the
 * service performs it. `distinct-faults.test.ts` compares the histories.
 */
export const sameForReads: ReadonlyMap<FaultKind, FaultKind | 'no fault'> = new Map<FaultKind, FaultKind | 'no fault'>([
  ['crash after an I/O', 'crash before an I/O'],
  ['lost acknowledgement', 'lost request'],
  ['lost acknowledgement, retried', 'no fault'],
  ['late request', 'throttling'],
  ['late platform request', 'platform response lost'],
  ['500 after commit', 'platform 5xx'],
]);

/** A list that is read in at most so many parts at once has faults at all of them. */
const maxParts = 4;

/**
 * The fault points and variants that an enumeration tries: all, except those that show the same as others. Of the parts of a list that a
 * process reads at once, these are the first, the last, and one in the middle. Stale reads are steps of the environment: all are tried.
 */
export function distinctFaults(points: readonly FaultPoint[]): readonly FaultPoint[] {
  return points
    .filter((_, index) => isDistinctPart(points, index))
    .map((point) =>
      point.call !== undefined && isRead(point.call)
        ? { ...point, variants: point.variants.filter(({ kind }) => !sameForReads.has(kind)) }
        : point,
    );
}

function isRead({ operation }: Call): boolean {
  return /^(GetItem|BatchGetItem|Query|Scan|GetSecretValue|GET .*)$/.test(operation);
}

function isDistinctPart(points: readonly FaultPoint[], index: number): boolean {
  let [first, last] = [index, index];
  while (areParts(points[first - 1], points[index])) first -= 1;
  while (areParts(points[last + 1], points[index])) last += 1;
  return last - first < maxParts || [first, Math.floor((first + last) / 2), last].includes(index);
}

/** Whether both read a part of the same list at once. */
function areParts(one: FaultPoint | undefined, other: FaultPoint | undefined): boolean {
  return one?.call?.list !== undefined && one.call.list === other?.call?.list && one.at === other.at;
}
