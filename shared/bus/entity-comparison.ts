import * as z from 'zod/mini';
import { entityId } from '#shared/entities/place-event.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { differences } from './event-details.ts';

/** What `reconcile` answers to `{"mode": "compare"}`: one entity as it is here, and as the platform has it. Writes nothing. */
export const entityComparison = z.object({
  kind: z.enum(entityKinds),
  id: entityId,
  /** When the platform was asked. ISO 8601, UTC. */
  readOn: z.iso.datetime(),
  /** Absent where no webhook has reported the entity. */
  ours: z.optional(z.object({ status: z.optional(z.string()), modifiedOn: z.optional(timestamp) })),
  /** `gone`: the platform does not know it. `unanswered`: it does not say. `not readable`: no operation reads an order. */
  platform: z.union([
    z.object({ status: z.string(), modifiedOn: timestamp }),
    z.enum(['gone', 'unanswered', 'not readable']),
  ]),
  /** How the two differ. Empty also where ours is the later. */
  differed: z.array(z.enum(differences)),
});

export type EntityComparison = z.infer<typeof entityComparison>;
