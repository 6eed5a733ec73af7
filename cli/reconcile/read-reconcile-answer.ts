import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';

/** What `reconcile` answers before the first token. */
const skipped = z.object({ skipped: z.string() });

/** @throws {CommandError} if there is no platform token yet */
export function readReconcileAnswer<Answer>(
  answer: unknown,
  schema: { readonly parse: (value: unknown) => Answer },
): Answer {
  const { data } = skipped.safeParse(answer);
  if (data !== undefined) throw new CommandError(data.skipped, 'drawbridge doctor');
  return schema.parse(answer);
}
