import type { Position } from '#shared/aws/list/merge-lanes.ts';
import { type ListDeps, type ListIndex, type ListPage, readList } from '#shared/aws/list/read-list.ts';
import { eventKeys, type ListedTypes, listLanesOf, quarantineShards } from './event-row.ts';
import { type ListedEvent, readListedEvent } from './listed-event.ts';
import type { EventFilter } from './listing-conditions.ts';

export type EventPageRequest = {
  readonly filter: EventFilter;
  readonly limit: number;
  readonly after: Position | undefined;
  /** Rows after which a page ends early; at least the limit. */
  readonly maxRows?: number;
};

/** Lists events, the latest received first. @throws {EventRowError} when a row is not what we write */
export type ListEvents = (request: EventPageRequest) => Promise<ListPage<ListedEvent>>;

export type EventListDeps = ListDeps & { readonly now: () => Date };

/** Lists the events in quarantine, by the index that holds them alone. */
export function createListQuarantined(deps: EventListDeps): ListEvents {
  return createList(deps, eventKeys.quarantine, () => quarantineShards);
}

/** Lists all events, by the index that the setting `listEvents` keeps. */
export function createListAllEvents(deps: EventListDeps, types: ListedTypes): ListEvents {
  return createList(deps, eventKeys.listed, ({ eventType }) => listLanesOf(eventType, types));
}

function createList(
  { now, ...deps }: EventListDeps,
  index: Omit<ListIndex, 'id'>,
  lanesOf: (filter: EventFilter) => readonly string[],
): ListEvents {
  return async ({ filter, ...page }) => {
    const { rows, next } = await readList(
      deps,
      { ...index, id: eventKeys.partition },
      {
        lanes: lanesOf(filter),
        readRow: readListedEvent,
        isWanted: wanted(filter, now()),
        from: filter.receivedFrom,
        to: filter.receivedTo,
        ...page,
      },
    );
    return { rows, next };
  };
}

function wanted({ eventType, reason }: EventFilter, now: Date) {
  return (event: ListedEvent) =>
    // TTL deletes days late: what has expired is as good as absent.
    Date.parse(event.expiresOn) > now.getTime() &&
    (eventType === undefined || event.eventType === eventType) &&
    (reason === undefined || event.quarantineReason === reason);
}
