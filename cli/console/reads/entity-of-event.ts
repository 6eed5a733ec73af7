import type { ApiClient } from '#cli/deployment/api-client.ts';
import { timelinePages } from '#cli/entities/show-entity.ts';
import type { EventAnswer, TimelineEventAnswer } from '#shared/api/query-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { findEntity } from '#shared/entities/place-event.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';
import { placeOf } from '#shared/platform/profile/event-place.ts';

/** The entity that an event is about, by the fields of the specification; undefined for an event about none. */
export function entityOfEvent({
  eventType,
  body,
  quarantineReason,
}: Pick<EventAnswer, 'eventType' | 'body' | 'quarantineReason'>): EntityKey | undefined {
  if (body === undefined || quarantineReason !== undefined) return undefined;
  const place = placeOf(eventType, {});
  if (place === 'stored and published') return undefined;
  const found = findEntity(parseJsonExactly(body), place);
  return found && { kind: place.kind, id: found.id };
}

/** What an event did to its entity. Reads the timeline until the event is found. */
export async function effectOfEvent(
  api: ApiClient,
  entity: EntityKey,
  eventId: string,
): Promise<TimelineEventAnswer | undefined> {
  for await (const events of timelinePages(api, entity)) {
    const found = events.find((event) => event.eventId === eventId);
    if (found !== undefined) return found;
  }
  return undefined;
}
