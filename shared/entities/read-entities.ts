import type { EntityKey, EntityRow, TimelineEntry } from './entity-row.ts';
import type { EntityTable } from './entity-table.ts';
import { type EntityEvent, isErased } from './plan-merge.ts';

/** The entities of some events, as they were read. Each function throws what could not be read. */
export type EntitiesRead = {
  readonly rowOf: (key: EntityKey) => EntityRow | undefined;
  /** What an event did when it was merged before, where only the timeline outside of the state says it. */
  readonly earlierOf: (event: EntityEvent) => TimelineEntry | undefined;
};

/** Reads the entities that events speak of: one call for the states, and one for the events that no state holds. */
export async function readEntities(
  table: Pick<EntityTable, 'loadStates' | 'loadEvents'>,
  events: readonly EntityEvent[],
): Promise<EntitiesRead> {
  const rowOf = await table.loadStates(events);
  const outside = events.filter((event) => isOutside(event, rowOf));
  const entryOf = await table.loadEvents(outside);
  const isRead = new Set(outside);
  return { rowOf, earlierOf: (event) => (isRead.has(event) ? entryOf(event) : undefined) };
}

/** Whether an event may be in the timeline outside of the state. */
function isOutside(event: EntityEvent, rowOf: EntitiesRead['rowOf']): boolean {
  try {
    const row = rowOf(event);
    return row !== undefined && !isErased(row) && !row.latest.some(({ eventId }) => eventId === event.eventId);
  } catch {
    // Thrown again to those who ask for this entity.
    return false;
  }
}
