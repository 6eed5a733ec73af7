import type * as z from 'zod';
import { checkInput } from '#cli/console/check-input.ts';

/** What a page reads. */
export type Read<Query, Answer> = {
  /** Reads for a query as the pages write it. */
  readonly read: (query: Query) => Promise<Answer>;
  /** Checks a query that came over HTTP, and reads. @throws {CliError} INVALID_INPUT */
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

/**
 * Lets readers share what costs requests: those that ask during a read get its answer, and so do those that ask within a
 * time after it. An error is not kept.
 *
 * @param keep in milliseconds
 */
export function shareRead<Answer>(read: () => Promise<Answer>, keep: number, now: () => Date): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return async () => {
    if (shared !== undefined && now().getTime() < until) return shared;
    const reading = read();
    shared = reading;
    until = Number.POSITIVE_INFINITY;
    try {
      const answer = await reading;
      if (shared === reading) until = now().getTime() + keep;
      return answer;
    } catch (error) {
      if (shared === reading) shared = undefined;
      throw error;
    }
  };
}
