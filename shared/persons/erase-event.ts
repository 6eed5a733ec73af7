import type { EventStore } from '#shared/events/event-store.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { PersonIndex } from './person-index.ts';
import { namesOf, readSubject } from './stored-subject.ts';

export type EraseEventDeps = {
  readonly personIndex: Pick<PersonIndex, 'remove'>;
  readonly eventStore: Pick<EventStore, 'read' | 'erase'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
};

/**
 * Erases the body of a stored event, and the bodies of the other pieces of its record; then removes the rows by which the index of persons
 * has the event, so that no other name leads to an event without a body. Can be repeated. Does nothing where the event is not stored: a row
 * of the index stays, since its event may be stored later.
 *
 * @param rows of the index that have led to the event
 */
export type EraseEvent = (event: { readonly eventId: string; readonly rows?: readonly string[] }) => Promise<void>;

const noNames = { ids: [], onboardingIds: [] };

export function createEraseEvent({ personIndex, eventStore, profile }: EraseEventDeps): EraseEvent {
  return async ({ eventId, rows = [] }) => {
    const row = await eventStore.read(eventId);
    if (row === undefined) return;
    if (row.erasedOn !== undefined) return personIndex.remove(eventId, noNames, rows);
    const { subject, body, otherPieces } = await readSubject(row, profile, eventStore.read);
    // This one goes last: it is what leads to the others, after a crash.
    for (const one of [...otherPieces, eventId]) await eventStore.erase(one);
    await personIndex.remove(eventId, subject === 'erased in part' ? noNames : namesOf(subject, body), rows);
  };
}
