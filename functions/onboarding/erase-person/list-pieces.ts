import { undeliveredEventType } from '#shared/events/event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { PersonEvent } from '#shared/persons/find-unread.ts';
import type { NamedEvent } from '#shared/persons/person-index.ts';
import { readSubject } from '#shared/persons/stored-subject.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

export type ListPiecesDeps = {
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
};

/** Adds the other pieces of each record that is kept in pieces. Reads the events of such records only. */
export type ListPieces = (events: readonly NamedEvent[]) => Promise<readonly PersonEvent[]>;

const concurrency = 10;

export function createListPieces({ eventStore, profile }: ListPiecesDeps): ListPieces {
  return (events) =>
    mapConcurrent(events, concurrency, async ({ eventId, eventType }) => {
      const row = eventType === undeliveredEventType ? await eventStore.read(eventId) : undefined;
      const { otherPieces = [] } = row === undefined ? {} : await readSubject(row, profile, eventStore.read);
      return { eventId, eventType, otherPieces };
    });
}
