import { lookUp } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The body of a notification as this platform writes it: with its places, in its forms. */
export type WriteNotification = (eventType: string, resource: Fields) => Fields;

/**
 * Writes a notification as the platform profile says that the platform writes it: id, status and time under the first of
 * their names, within the first wrapper.
 */
export function placeNotification(
  eventType: string,
  resource: Fields,
  { places }: Pick<PlatformProfile, 'places'>,
): Fields {
  const place = lookUp(places, eventType);
  if (place === undefined) return resource;
  const names: ReadonlyMap<string, string | undefined> = new Map([
    [idFieldOf(eventType), place.id?.[0]],
    ['status', place.status?.[0]],
    ['modifiedOn', place.modifiedOn?.[0]],
  ]);
  const renamed = Object.fromEntries(Object.entries(resource).map(([name, value]) => [names.get(name) ?? name, value]));
  const [wrapper] = place.wrappers ?? [];
  return wrapper === undefined ? renamed : { [wrapper]: renamed };
}

/** As `<resource>Id`: naturalPersonId for NATURAL_PERSON_NOTIFICATION. Every order has an orderId. */
export function idFieldOf(eventType: string): string {
  const words = eventType
    .replace(/_NOTIFICATION$/, '')
    .toLowerCase()
    .split('_');
  if (words.at(-1) === 'order') return 'orderId';
  const [first, ...others] = words;
  return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)), 'Id'].join('');
}
