import type * as z from 'zod';
import { CliError } from '#cli/command/command-error.ts';
import { plainIssues } from '#shared/plain-message.ts';

/** Checks what a page sent. @throws {CliError} INVALID_INPUT, with a line for each field */
export function checkInput<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  throw new CliError('INVALID_INPUT', plainIssues(error.issues, given).join('\n'));
}
