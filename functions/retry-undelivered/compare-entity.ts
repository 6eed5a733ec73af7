import type { Difference } from '#shared/bus-event.ts';
import type { Entity } from '#shared/entity-store.ts';
import { compareTimestamps } from '#shared/platform/timestamp.ts';

/** How an entity stands on the platform. */
export type Standing = { readonly status: string; readonly modifiedOn: string };

/**
 * How an entity differs from what the platform answered. Where ours is the later it does not: news were faster than the
 * answer.
 */
export function differencesOf(
  entity: Pick<Entity, 'status' | 'modifiedOn'> | undefined,
  answered: Standing,
): readonly Difference[] {
  if (entity === undefined) return ['entity'];
  const order = entity.modifiedOn === undefined ? -1 : compareTimestamps(entity.modifiedOn, answered.modifiedOn);
  if (order > 0) return [];
  const status = entity.status === answered.status ? [] : (['status'] as const);
  return order < 0 ? [...status, 'modifiedOn'] : status;
}
