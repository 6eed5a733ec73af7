import type { Difference } from '#shared/bus/event-details.ts';
import type { Entity } from '#shared/entities/entity-store.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';

/** How an entity stands on the platform. */
export type PlatformState = { readonly status: string; readonly modifiedOn: string };

/**
 * How an entity differs from what the platform answered. Where ours is the later there is no difference: a webhook was faster than the
 * answer.
 */
export function differencesOf(
  entity: Pick<Entity, 'status' | 'modifiedOn'> | undefined,
  answered: PlatformState,
): readonly Difference[] {
  if (entity === undefined) return ['entity'];
  const order = entity.modifiedOn === undefined ? -1 : compareTimestamps(entity.modifiedOn, answered.modifiedOn);
  if (order > 0) return [];
  const status = entity.status === answered.status ? [] : (['status'] as const);
  return order < 0 ? [...status, 'modifiedOn'] : status;
}
