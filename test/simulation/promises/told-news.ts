import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { eventTypeOf, idFieldOf } from '#test/simulation/workload/plan-workload.ts';
import { newEventType } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';
import type { ToldEvent } from './promise.ts';

/** What the platform said of an entity. */
export type ToldNews = {
  readonly kind: EntityKind;
  readonly id: string;
  readonly status: string;
  /** Undefined of untimed news. */
  readonly modifiedOn: string | undefined;
};

/**
 * Reads what was told as whoever planned it wrote it, and by no code of the product: which must find the same in it. Undefined
 * where it is no JSON, or speaks of no entity.
 */
export function newsIn({ environment }: World, { eventType, body }: ToldEvent): ToldNews | undefined {
  const fields = parseBody(body);
  const isReleased = environment.PLATFORM_PROFILE.eventTypes.includes(newEventType);
  const kind = entityKinds.find((one) => eventTypeOf[one] === eventType);
  const told = eventType === newEventType && isReleased ? 'order' : kind;
  const id = told && fields?.[idFieldOf[told]];
  if (told === undefined || fields === undefined || id === undefined) return undefined;
  return { kind: told, id, status: fields['status'] ?? '', modifiedOn: fields['modifiedOn'] };
}

/** The fields of a webhook of the simulation, all of which are texts; undefined of one that is broken. */
export function parseBody(body: string): Readonly<Record<string, string>> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
