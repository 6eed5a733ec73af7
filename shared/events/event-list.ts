import { laneNames } from '#shared/aws/list/lanes.ts';
import { type ListDeps, type ListIndex, type ListPage, type Position, readList } from '#shared/aws/list/read-list.ts';
import {
  eventKeys,
  type ListedEvent,
  type ListedTypes,
  listLanesOf,
  quarantineShards,
  readListedEvent,
} from './event-row.ts';
import type { EventFilter } from './scan-events.ts';

export type EventPageRequest = {
  readonly filter: EventFilter;
  readonly limit: number;
  readonly after: Position | undefined;
  /** Rows after which a page ends early; at least the limit. */
  readonly maxRows?: number;
};

/** Lists events, the latest received first. @throws `EventRowError` when a row is not what we write */
export type ListEvents = (request: EventPageRequest) => Promise<ListPage<ListedEvent>>;

type EventListDeps = ListDeps & { readonly now: () => Date };

/** Lists the events in quarantine, by the index that holds only these. */
export function createListQuarantined(deps: EventListDeps): ListEvents {
  return (request) => readEvents(deps, eventKeys.quarantine, quarantineShards, request);
}

type AllEventsDeps = EventListDeps & {
  readonly types: ListedTypes;
  /** The most lanes that the events of a type, and all events, were ever spread over. */
  readonly readLanes: () => Promise<number>;
  /** Whether the events that release 0.2.0 has listed by their type are among those of all types too. */
  readonly isReceivedFilled: () => Promise<boolean>;
};

/**
 * Lists all events, by the indexes that the setting `listEvents` keeps. A page of all types reads as many
 * partitions as there are lanes, and a page of one type twice as many.
 */
export function createListAllEvents({ types, readLanes, isReceivedFilled, ...deps }: AllEventsDeps): ListEvents {
  return async (request) => {
    const { eventType } = request.filter;
    const isReceived = eventType === undefined && (await isReceivedFilled());
    const lanes = await readLanes();
    return isReceived
      ? readEvents(deps, eventKeys.received, laneNames(lanes), request)
      : readEvents(deps, eventKeys.listed, listLanesOf(eventType, { types, lanes }), request);
  };
}

function readEvents(
  { now, ...deps }: EventListDeps,
  index: Omit<ListIndex, 'id'>,
  lanes: readonly string[],
  { filter, ...page }: EventPageRequest,
): Promise<ListPage<ListedEvent>> {
  return readList(
    deps,
    { ...index, id: eventKeys.partition },
    {
      lanes,
      readRow: readListedEvent,
      isWanted: wanted(filter, now()),
      from: filter.receivedFrom,
      to: filter.receivedTo,
      ...page,
    },
  );
}

function wanted({ eventType, reason }: EventFilter, now: Date) {
  return (event: ListedEvent) =>
    // TTL deletes days late: an expired row counts as absent.
    Date.parse(event.expiresOn) > now.getTime() &&
    (eventType === undefined || event.eventType === eventType) &&
    (reason === undefined || event.quarantineReason === reason);
}
