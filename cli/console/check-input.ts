import type * as z from 'zod';
import { plainIssues } from '#shared/plain-message.ts';

/** What a page sent breaks a schema. The message has a line for each field. */
export class InvalidInputError extends Error {
  override readonly name = 'InvalidInputError';
}

/** @throws {InvalidInputError} */
export function checkInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new InvalidInputError(plainIssues(error.issues, given).join('\n'));
}
