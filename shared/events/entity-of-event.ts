import type { EntityKey } from '#shared/entities/entity-row.ts';
import { findEntity } from '#shared/entities/place-event.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';
import { placeOf } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/**
 * The entity that a stored event has had an effect on, as `store` finds it; undefined where the event speaks of none, and in quarantine.
 *
 * @param body of the event, inflated
 */
export function entityOfEvent(
  { eventType, quarantineReason }: Pick<EventRow, 'eventType' | 'quarantineReason'>,
  body: Uint8Array,
  profile: Pick<PlatformProfile, 'places'>,
): EntityKey | undefined {
  if (quarantineReason !== undefined) return undefined;
  const place = placeOf(eventType, profile.places);
  if (place === 'stored and published') return undefined;
  // Whatever its status: what is a status now is not what it was when the event had its effect.
  const found = findEntity(parseJsonExactly(Buffer.from(body).toString('utf8')), place);
  return found && { kind: place.kind, id: found.id };
}
