import * as z from 'zod/mini';
import { entityId } from '#shared/entities/place-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';

/** What an operator asks `reconcile` without a walk. */
const inspection = z.union([
  z.strictObject({ mode: z.literal('compare'), kind: z.enum(entityKinds), id: entityId }),
  z.strictObject({ mode: z.literal('last') }),
]);

export type Inspection = z.infer<typeof inspection>;

/** Undefined for every other request. */
export function readInspection(event: unknown): Inspection | undefined {
  return inspection.safeParse(event).data;
}
