import * as z from 'zod';
import { dateTime } from './fields.ts';
import { RefusedError } from './refused-error.ts';

/** Which statuses may follow each. */
export type Transitions<Status extends string> = Readonly<Record<Status, readonly Status[]>>;

/** Every status that a record has come to, and when (UTC). */
export const statusHistory = z
  .array(z.strictObject({ status: z.string(), since: dateTime }))
  .describe('The first first');

export type StatusChange = z.infer<typeof statusHistory>[number];

/** @throws {RefusedError} Conflict, with what may follow, for a change that the table does not have */
export function requireTransition(from: string, to: string, legal: readonly string[]): void {
  if (legal.includes(to)) return;
  const next = legal.length === 0 ? 'which is final' : `which may become ${legal.join(' or ')}`;
  throw new RefusedError(409, `It cannot become ${to}: it is ${from}, ${next}.`);
}

/** The shortest way from one status to another, without the first; undefined where there is none. */
export function pathBetween<Status extends string>(
  transitions: Transitions<Status>,
  from: Status,
  to: Status,
): readonly Status[] | undefined {
  const paths = new Map<Status, readonly Status[]>([[from, []]]);
  for (const [status, path] of paths)
    for (const next of transitions[status]) if (!paths.has(next)) paths.set(next, [...path, next]);
  return paths.get(to);
}
