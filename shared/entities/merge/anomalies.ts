import type { Statuses } from '#shared/entities/statuses/status-table.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { type EntityState, timedStatuses } from './entity-state.ts';

/** What stands for the unknown statuses that are not kept one by one. No status: placing takes no such character. */
const otherStatuses = '*';

/**
 * Where the platform contradicts a final status, each as text: `SETTLED → PENDING` for a status that the platform dates after
 * a final one, and `REJECTED and SETTLED` for two final ones, of which one was left.
 *
 * A transition that the table does not have is no anomaly: the platform may make it all the same. Statuses whose times do not
 * tell their order are taken to be in the one that is possible, with the final one last.
 *
 * Anomalies are derived from the first and the last time of each status, not from the order in which the reports came, and these
 * only move apart: so the anomalies are the same for every order of the reports, and never go away.
 */
export function findAnomalies(
  { table, isKnown, isFinal }: Statuses,
  { seen, overflow }: EntityState,
): readonly string[] {
  const known = table.statuses.map(({ status }) => status).filter((status) => Object.hasOwn(seen, status));
  const unknown = Object.keys(seen).filter((status) => !isKnown(status));
  const last = new Map(timedStatuses(Object.entries(seen)).map(({ status, modifiedOn }) => [status, modifiedOn]));
  if (overflow !== undefined) last.set(otherStatuses, overflow.modifiedOn);
  const finals = known.filter(isFinal);
  const others = [...known.filter((status) => !isFinal(status)), ...unknown, otherStatuses];
  return finals.flatMap((from, index) => [
    ...finals.slice(index + 1).map((to) => `${from} and ${to}`),
    ...others.filter((to) => isBefore(seen[from]?.[0], last.get(to))).map((to) => `${from} → ${to}`),
  ]);
}

function isBefore(first: string | undefined, last: string | undefined): boolean {
  return first !== undefined && last !== undefined && compareTimestamps(first, last) < 0;
}
