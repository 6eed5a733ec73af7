import type { ApiClient } from '#cli/deployment/api-client.ts';
import { timelinePages } from '#cli/entities/show-entity.ts';
import type { EventAnswer, TimelineEventAnswer } from '#shared/api/query-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';

/** The entity that an event is about, by the fields of the specification; undefined for an event about none. */
export function entityOfEvent({ eventType, body }: Pick<EventAnswer, 'eventType' | 'body'>): EntityKey | undefined {
  if (body === undefined) return undefined;
  const placed = placeEvent(eventType, parseJsonExactly(body), { places: {}, times: {} });
  return placed === 'no entity' || 'quarantineReason' in placed ? undefined : { kind: placed.kind, id: placed.id };
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
