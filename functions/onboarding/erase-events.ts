import type { EventBodies, EventBody } from '#shared/event-bodies.ts';
import type { EventStore } from '#shared/event-store.ts';
import { placeOf } from '#shared/platform/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { inflateBody } from '#shared/webhook-delivery.ts';
import { createNamesPerson, type PersonNames } from './names-person.ts';

export type EraseEventsDeps = {
  readonly bodies: EventBodies;
  readonly eventStore: Pick<EventStore, 'erase'>;
  readonly profile: Pick<PlatformProfile, 'places'>;
  readonly now: () => Date;
};

/** How far the segments of the table have been looked through: of each its last event, or that it is not begun, or over. */
const place = /^(?:begin|end|[\da-f]{64})(?:\.(?:begin|end|[\da-f]{64})){0,63}$/;

/** Whether it can be what an erasure has answered. */
export function isPlace(text: string): boolean {
  return place.test(text);
}

const segmentsAtOnce = 4;
const erasuresAtOnce = 10;

/**
 * Erases the bodies of all events that name the person and that no entity knows of: those in quarantine, and those of types
 * that speak of no entity. Looks through the whole table, since nothing else says which. Of orders and transfers the
 * events are kept.
 *
 * @param from where an erasure before it has stopped
 * @param until in milliseconds since 1970: when it is to stop
 * @returns where to go on; undefined where all was looked through
 */
export type EraseEvents = (names: PersonNames, from: string | undefined, until: number) => Promise<string | undefined>;

export function createEraseEvents({ bodies, eventStore, profile, now }: EraseEventsDeps): EraseEvents {
  return async (names, from, until) => {
    const namesPerson = createNamesPerson(names);
    const places = from?.split('.') ?? [];
    const isNamed = ({ eventType, deflatedBody }: EventBody) =>
      !isBusiness(eventType) && namesPerson(inflateBody(deflatedBody));
    const walked = await sideBySide(
      Array.from({ length: bodies.segments }, (_, segment) => segment),
      segmentsAtOnce,
      async (segment) => {
        let at = places[segment] ?? 'begin';
        while (at !== 'end' && now().getTime() < until) {
          const { events, next = 'end' } = await bodies.readPage(segment, at === 'begin' ? undefined : at);
          await sideBySide(events.filter(isNamed), erasuresAtOnce, ({ eventId }) => eventStore.erase(eventId));
          at = next;
        }
        return at;
      },
    );
    return walked.every((at) => at === 'end') ? undefined : walked.join('.');
  };

  /** The partner's records of business: they name the person by the platform's id alone. */
  function isBusiness(eventType: string): boolean {
    const found = placeOf(eventType, profile.places);
    return found !== 'stored and published' && (found.kind === 'order' || found.kind === 'transfer');
  }
}
