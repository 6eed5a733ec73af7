import type * as z from 'zod';
import { checkInput } from '#cli/console/check-input.ts';

/** What a page reads. */
export type Read<Query, Answer> = {
  /** Reads for a query as the pages write it. */
  readonly read: (query: Query) => Promise<Answer>;
  /** Checks a query that came over HTTP, and reads. @throws {InvalidInputError} */
  readonly readChecked: (query: unknown) => Promise<Answer>;
};

/** @param query the schema of the query */
export function defineRead<Query extends z.ZodType, Answer>(
  query: Query,
  read: (query: z.output<Query>) => Promise<Answer>,
): Read<z.input<Query>, Answer> {
  const readChecked = async (given: unknown) => read(checkInput(query, given));
  return { read: readChecked, readChecked };
}
