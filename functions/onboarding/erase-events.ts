import { externalIdIn, personIn } from '#shared/entities/person-in.ts';
import { placeEvent } from '#shared/entities/place-event.ts';
import type { EntityKey } from '#shared/entity-row.ts';
import type { EntityStore } from '#shared/entity-store.ts';
import type { EventBodies, EventBody } from '#shared/event-bodies.ts';
import type { EventStore } from '#shared/event-store.ts';
import { isOfBusiness } from '#shared/platform/event-place.ts';
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
 */
export type EraseEvents = (names: PersonNames, from: string | undefined, until: number) => Promise<EventsErased>;

export type EventsErased = {
  /** Persons that have the externalId, and are not among the ids. It stopped there: they are to be named, and all looked through anew. */
  readonly unnamed: readonly string[];
  /** Where to go on; undefined where all was looked through. */
  readonly continueFrom: string | undefined;
};

export function createEraseEvents(deps: EraseEventsDeps): EraseEvents {
  const { bodies, eventStore, entityStore, profile, now } = deps;

  return async (names, from, until) => {
    const namesPerson = createNamesPerson(names);
    const places = from?.split('.') ?? [];
    const ids = new Set(names.ids);
    const unnamed = new Set<string>();
    const isNamed = ({ eventType, deflatedBody }: EventBody) =>
      !isOfBusiness(eventType, profile.places) && namesPerson(inflateBody(deflatedBody));
    const walked = await sideBySide(
      Array.from({ length: bodies.segments }, (_, segment) => segment),
      segmentsAtOnce,
      async (segment) => {
        let at = places[segment] ?? 'begin';
        while (at !== 'end' && unnamed.size === 0 && now().getTime() < until) {
          const { events, next = 'end' } = await bodies.readPage(segment, at === 'begin' ? undefined : at);
          const named = events.filter(isNamed);
          for (const event of named) {
            const id = personOf(event, names.externalId);
            if (id !== undefined && !ids.has(id)) unnamed.add(id);
          }
          // Those bodies are all that says whose the entities are.
          if (unnamed.size > 0) break;
          await sideBySide(named, erasuresAtOnce, (event) => erase(event, ids));
          at = next;
        }
        return at;
      },
    );
    const isOver = walked.every((at) => at === 'end');
    return { unnamed: [...unnamed], continueFrom: isOver ? undefined : walked.join('.') };
  };

  /** The body goes last: it is what says whose the verification is, when the call is repeated after a crash. */
  async function erase(event: EventBody, ids: ReadonlySet<string>): Promise<void> {
    if (isOf(ids, event)) await eraseVerification(event, ids);
    await eventStore.erase(event.eventId);
  }

  async function eraseVerification(event: EventBody, ids: ReadonlySet<string>): Promise<void> {
    const entity = entityOf(event);
    if (entity?.kind !== 'identification-verification') return;
    await entityStore.erase(entity, async (eventIds) => {
      await sideBySide(eventIds, erasuresAtOnce, (eventId) => eraseUnlessOf(ids, eventId));
    });
  }

  /** Those that say whose the verification is are found by themselves: until then each of them leads to it again. */
  async function eraseUnlessOf(ids: ReadonlySet<string>, eventId: string): Promise<void> {
    const row = await eventStore.read(eventId);
    if (row !== undefined && !isOf(ids, row)) await eventStore.erase(eventId);
  }

  /** The person of whom an event says that it has the externalId, if it says so. */
  function personOf(event: EventBody, externalId: string): string | undefined {
    if (externalIdIn(inflateBody(event.deflatedBody)) !== externalId) return undefined;
    const entity = entityOf(event);
    return entity?.kind === 'natural-person' ? entity.id : undefined;
  }

  /** What an event speaks of, if it speaks of one entity. @param event one whose body is JSON */
  function entityOf(event: EventBody): EntityKey | undefined {
    const placed = readStoredReadBack(event) ?? placeEvent(event.eventType, jsonOf(event), profile);
    if (typeof placed !== 'object' || !('kind' in placed)) return undefined;
    return { kind: placed.kind, id: placed.id };
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
