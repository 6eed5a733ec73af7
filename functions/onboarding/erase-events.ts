import { personIn } from '#shared/entities/person-in.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import type { EntityStore } from '#shared/entity-store.ts';
import type { EventBodies, EventBody } from '#shared/event-bodies.ts';
import type { EventStore } from '#shared/event-store.ts';
import { placeOf } from '#shared/platform/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile.ts';
import { readStoredReadBack } from '#shared/read-back.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { inflateBody } from '#shared/webhook-delivery.ts';
import { createNamesPerson, type PersonNames } from './names-person.ts';

export type EraseEventsDeps = {
  readonly bodies: EventBodies;
  readonly eventStore: Pick<EventStore, 'read' | 'erase'>;
  readonly entityStore: Pick<EntityStore, 'erase'>;
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
 * Erases the bodies of all events that name the person and that no entity known to be the person's knows of: those in
 * quarantine, those of types that speak of no entity, and those of a verification that its onboarding had not found yet, which
 * is erased as well. Looks through the whole table, since nothing else says which. Of orders and transfers the events are
 * kept.
 *
 * The person itself must be erased before: what comes from then on is found by `store` to be of somebody erased.
 *
 * @param from where an erasure before it has stopped
 * @param until in milliseconds since 1970: when it is to stop
 * @returns where to go on; undefined where all was looked through
 */
export type EraseEvents = (names: PersonNames, from: string | undefined, until: number) => Promise<string | undefined>;

export function createEraseEvents(deps: EraseEventsDeps): EraseEvents {
  const { bodies, eventStore, entityStore, profile, now } = deps;

  return async (names, from, until) => {
    const namesPerson = createNamesPerson(names);
    const places = from?.split('.') ?? [];
    const ids = new Set(names.ids);
    const isNamed = ({ eventType, deflatedBody }: EventBody) =>
      !isBusiness(eventType) && namesPerson(inflateBody(deflatedBody));
    const walked = await sideBySide(
      Array.from({ length: bodies.segments }, (_, segment) => segment),
      segmentsAtOnce,
      async (segment) => {
        let at = places[segment] ?? 'begin';
        while (at !== 'end' && now().getTime() < until) {
          const { events, next = 'end' } = await bodies.readPage(segment, at === 'begin' ? undefined : at);
          await sideBySide(events.filter(isNamed), erasuresAtOnce, (event) => erase(event, ids));
          at = next;
        }
        return at;
      },
    );
    return walked.every((at) => at === 'end') ? undefined : walked.join('.');
  };

  /** The body goes last: it is what says whose the verification is, when the call is repeated after a crash. */
  async function erase(event: EventBody, ids: ReadonlySet<string>): Promise<void> {
    if (isOf(ids, event)) await eraseVerification(event, ids);
    await eventStore.erase(event.eventId);
  }

  async function eraseVerification(event: EventBody, ids: ReadonlySet<string>): Promise<void> {
    const id = verificationOf(event);
    if (id === undefined) return;
    await entityStore.erase({ kind: 'identification-verification', id }, async (eventIds) => {
      await sideBySide(eventIds, erasuresAtOnce, (eventId) => eraseUnlessOf(ids, eventId));
    });
  }

  /** Those that say whose the verification is are found by themselves: until then each of them leads to it again. */
  async function eraseUnlessOf(ids: ReadonlySet<string>, eventId: string): Promise<void> {
    const row = await eventStore.read(eventId);
    if (row !== undefined && !isOf(ids, row)) await eventStore.erase(eventId);
  }

  /** The verification that an event speaks of, if it speaks of one. @param event one whose body is JSON */
  function verificationOf(event: EventBody): string | undefined {
    const placed = readStoredReadBack(event) ?? placeEvent(event.eventType, jsonOf(event), profile);
    const isVerification =
      typeof placed === 'object' && 'kind' in placed && placed.kind === 'identification-verification';
    return isVerification ? placed.id : undefined;
  }

  /** The partner's records of business: they name the person by the platform's id alone. */
  function isBusiness(eventType: string): boolean {
    const found = placeOf(eventType, profile.places);
    return found !== 'stored and published' && (found.kind === 'order' || found.kind === 'transfer');
  }
}

/** Whether the body says that the verification of which it speaks is the person's. */
function isOf(ids: ReadonlySet<string>, { deflatedBody }: Pick<EventBody, 'deflatedBody'>): boolean {
  const person = personIn(inflateBody(deflatedBody));
  return person !== undefined && ids.has(person);
}

function jsonOf({ deflatedBody }: EventBody): unknown {
  return JSON.parse(Buffer.from(inflateBody(deflatedBody)).toString());
}
