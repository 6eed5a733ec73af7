import type { PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { undeliveredEventType } from '#shared/events/event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { answerBytes, maxItemBytes } from '#shared/lambda/http-api.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { entityOfEvent, readSubject } from '#shared/persons/event-subject.ts';
import type { PersonFound, UnreadEvent } from '#shared/persons/person-events.ts';
import type { NamedEvent } from '#shared/persons/person-index.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** What is stored of a person. */
export type PersonEvents = Pick<PersonFound, 'events' | 'kept'> & { readonly unread: readonly UnreadEvent[] };

/**
 * Shows the events of a person: those that an erasure removes, each piece of a record separately; and those that an erasure keeps, with
 * the order or transfer that each is about. Reads the bodies of records in pieces, and of the kept events. The list is not complete
 * if one answer does not hold all of them.
 *
 * @param mayContinue is called before each read of a kept event
 */
export type ViewEvents = (
  stored: PersonEvents,
  mayContinue: () => boolean,
) => Promise<Pick<PersonAnswer, 'events' | 'kept' | 'isComplete'>>;

const concurrency = 10;

export function createViewEvents({
  eventStore,
  profile,
}: {
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
}): ViewEvents {
  async function piecesOf({ eventId, eventType }: UnreadEvent): Promise<PersonAnswer['events']> {
    const row = eventType === undeliveredEventType ? await eventStore.read(eventId) : undefined;
    const { otherPieces = [] } = row === undefined ? {} : await readSubject(row, profile, eventStore.read);
    return [eventId, ...otherPieces].map((piece) => ({ eventId: piece, eventType }));
  }

  async function viewKept({ eventId }: NamedEvent): Promise<PersonAnswer['kept']> {
    const row = await eventStore.read(eventId);
    if (row === undefined || row.erasedOn !== undefined) return [];
    const entity = entityOfEvent(row, inflateBody(row.deflatedBody), profile);
    return [{ eventId, eventType: row.eventType, entity }];
  }

  return async ({ events, unread, kept }, mayContinue) => {
    let isComplete = true;
    let bytes = 0;
    /** What is shown of an event, as far as the answer has room: what does not fit is not read either. */
    const fitting = async <Shown>(read: () => Promise<readonly Shown[]>): Promise<readonly Shown[]> => {
      const shown = bytes > maxItemBytes ? undefined : await read();
      const taken = (shown ?? []).filter((one) => {
        bytes += answerBytes(one);
        return bytes <= maxItemBytes;
      });
      if (taken.length !== shown?.length) isComplete = false;
      return taken;
    };
    const removed = await mapConcurrent([...events, ...unread], concurrency, (event) => fitting(() => piecesOf(event)));
    const staying = await mapConcurrent(kept, concurrency, async (event) => {
      if (mayContinue()) return fitting(() => viewKept(event));
      isComplete = false;
      return [];
    });
    return { events: removed.flat(), kept: staying.flat(), isComplete };
  };
}
