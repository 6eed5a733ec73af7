import type { EntityKey } from '#shared/entities/entity-row.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';
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
  const placed = placeEvent(eventType, parseJsonExactly(Buffer.from(body).toString('utf8')), {
    ...profile,
    times: {},
  });
  return placed === 'no entity' || 'quarantineReason' in placed ? undefined : { kind: placed.kind, id: placed.id };
}
