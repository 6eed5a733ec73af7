import * as z from 'zod';
import { dateTime } from './fields.ts';
import { RefusedError } from './refused-error.ts';

/** The statuses that may follow each status. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Every status of a record, with its time (UTC). */
export const statusHistory = z.array(z.strictObject({ status: z.string(), since: dateTime })).describe('Oldest first');

/** The platform purges an INVALID record after this number of seconds (section 8). */
export const invalidRetention = 48 * 3_600;

export type StatusChange = z.infer<typeof statusHistory>[number];

/** @throws {RefusedError} Conflict, with the allowed statuses, for a change that is not in the table */
export function requireTransition(from: string, to: string, legal: readonly string[]): void {
  if (legal.includes(to)) return;
  const next = legal.length === 0 ? 'which is final' : `which may become ${legal.join(' or ')}`;
  throw new RefusedError(409, `It cannot become ${to}: it is ${from}, ${next}.`);
}

/** The shortest path from one status to another, without the first; undefined if there is none. */
export function pathBetween<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): readonly Status[] | undefined {
  const paths = new Map<Status, readonly Status[]>([[from, []]]);
  for (const [status, path] of paths)
    for (const next of transitions[status] ?? []) if (!paths.has(next)) paths.set(next, [...path, next]);
  return paths.get(to);
}
