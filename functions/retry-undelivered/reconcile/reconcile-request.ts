import * as z from 'zod/mini';
import { InvalidRequestError } from '#shared/drawbridge-error.ts';
import { reconcileProgress } from './reconcile-progress.ts';

/** What `reconcile` is invoked with. Strict: a typo must not repair what was only to be shown. */
const reconcileRequest = z.strictObject({
  /** `report` reads and writes nothing; `repair` repairs what differs, and continues where the run before stopped. */
  mode: z.enum(['report', 'repair']),
  /** How long it may take; until the function's time is nearly over unless given. */
  seconds: z.optional(z.number().check(z.positive(), z.maximum(900))),
  /** Whether the whole table is read, too: entities without a place in the index of due entities get one. */
  full: z.optional(z.boolean()),
  /** `next` of a report whose time was over. */
  from: z.optional(reconcileProgress),
});

export type ReconcileRequest = z.infer<typeof reconcileRequest>;

/** `reconcile` was invoked with what it does not know. Nothing was done. */
export class ReconcileRequestError extends InvalidRequestError {
  override readonly name = 'ReconcileRequestError';
}

/** @throws {ReconcileRequestError} */
export function readReconcileRequest(event: unknown): ReconcileRequest {
  const result = reconcileRequest.safeParse(event);
  if (!result.success || (result.data.mode === 'repair' && result.data.from !== undefined))
    throw new ReconcileRequestError(
      'Invoke reconcile with {"mode": "report" | "repair"}, "seconds" where it is to end sooner, and "full": true where the whole table is to be read. "from" is what a report gave as "next". {"mode": "compare", "kind", "id"} compares one entity, and {"mode": "last"} tells of the last walk.',
    );
  return result.data;
}
