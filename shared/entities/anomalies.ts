import { compareTimestamps } from '#shared/platform/timestamp.ts';
import { type Knowledge, unknownWords } from './knowledge.ts';
import type { Statuses } from './status-table.ts';

/**
 * What was seen of an entity and cannot all be true: each as text, such as `SETTLED → PENDING` for a status that came after
 * one from which it cannot be reached, or `INVALID and FILLED` for two of which neither can be reached from the other.
 * `*` stands for words that the table does not have.
 *
 * They are derived from the set of what was seen, not from the order in which it came, and what was seen only grows: so
 * they are the same for every order of the news, and never go away. A status that another one reaches in several steps is
 * no anomaly: what lies between may be late, or was never notified. Every news that lead away from a final status are
 * one, since nothing can be reached from it.
 */
export function findAnomalies({ table, reaches }: Statuses, { seen }: Knowledge): readonly string[] {
  const words = [...table.statuses.map(({ status }) => status), unknownWords].filter((word) => seen[word]);
  return words.flatMap((from, index) =>
    words.flatMap((to, place) => {
      if (from === to || reaches(from, to)) return [];
      if (!reaches(to, from)) return index < place ? [`${from} and ${to}`] : [];
      return isBefore(seen[from], seen[to]) ? [`${from} → ${to}`] : [];
    }),
  );
}

/** Whether the one was there before the other was, at any time. One instant in two ways of writing is one. */
function isBefore([first]: readonly string[] = [], times: readonly string[] = []): boolean {
  const last = times.at(-1);
  return first !== undefined && last !== undefined && compareTimestamps(first, last) < 0;
}
