import type { PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { entityOfEvent } from '#shared/events/entity-of-event.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { inflateBody } from '#shared/events/webhook-delivery.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { NamedEvent } from '#shared/persons/person-index.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

export type ReadKeptDeps = {
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
};

/**
 * Reads what an erasure keeps of a person: the type of each event, and which order or transfer it speaks of.
 *
 * @param mayGoOn is asked before each read
 */
export type ReadKept = (
  kept: readonly NamedEvent[],
  mayGoOn: () => boolean,
) => Promise<{ readonly events: PersonAnswer['kept']; readonly isComplete: boolean }>;

const concurrency = 10;

export function createReadKept({ eventStore, profile }: ReadKeptDeps): ReadKept {
  async function readOne(eventId: string): Promise<PersonAnswer['kept']> {
    const row = await eventStore.read(eventId);
    if (row === undefined || row.erasedOn !== undefined) return [];
    const entity = entityOfEvent(row, inflateBody(row.deflatedBody), profile);
    return [{ eventId, eventType: row.eventType, entity }];
  }

  return async (kept, mayGoOn) => {
    let isComplete = true;
    const events = await mapConcurrent(kept, concurrency, async ({ eventId }) => {
      if (mayGoOn()) return readOne(eventId);
      isComplete = false;
      return [];
    });
    return { events: events.flat(), isComplete };
  };
}
