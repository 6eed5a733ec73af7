import * as z from 'zod/mini';
import { type Fields, isObject, own } from '#shared/parse-json.ts';
import { receivedId, toWord, word } from '#shared/platform/fields/received.ts';
import { readTime } from '#shared/platform/fields/timestamp.ts';
import {
  type EntityFields,
  type EntityKind,
  findField,
  placeOf,
  resourcesIn,
} from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { StatusReport } from './merge/entity-state.ts';
import { readCodes } from './reason-codes.ts';
import { type StatusProfile, toStatus } from './statuses/entity-rules.ts';

/** Why an event cannot be placed, although its type speaks of an entity. */
export type PlacingFault = 'NO_ENTITY_ID' | 'UNUSABLE_ENTITY_ID' | 'UNUSABLE_STATUS';

/** The entity that an event speaks of, and what it says. */
export type PlacedEvent = { readonly kind: EntityKind; readonly id: string; readonly report: StatusReport };

/** What of the profile says where an event has what, and in which words. */
export type PlacingProfile = Pick<PlatformProfile, 'places' | 'times'> & StatusProfile;

/**
 * The identifier of an entity: no character that means something in a key, a URL or a log, and no address of a person. The
 * specification has UUIDs.
 */
export const entityId = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._~:-]{0,127}$/));

/** The same as it is received: a number is its digits. */
export const receivedEntityId = z.pipe(receivedId, entityId);

/**
 * Finds what an event speaks of, and what it says about it. Takes ids, statuses, times and words of the platform from the
 * payload, and nothing else: no personal data.
 *
 * A time that cannot be read makes the report untimed; the platform's other words are left out if they are not words. But
 * an id or a status that is there and cannot be read is a fault, since to continue without it would be a guess.
 *
 * @param body the payload, as parsed; it is never trusted to have a shape
 * @returns 'no entity' if the events of this type are stored and published, and nothing else
 */
export function placeEvent(
  eventType: string,
  body: unknown,
  profile: PlacingProfile,
): PlacedEvent | 'no entity' | { readonly quarantineReason: PlacingFault } {
  const place = placeOf(eventType, profile.places);
  if (place === 'stored and published') return 'no entity';
  const { kind } = place;
  const resources = resourcesIn(body, place.wrappers);
  const found = findField(resources, place.id);
  if (found === undefined) return { quarantineReason: 'NO_ENTITY_ID' };
  const id = receivedEntityId.safeParse(found.value);
  if (!id.success) return { quarantineReason: 'UNUSABLE_ENTITY_ID' };
  const report = readNews([found.resource, ...resources], place, profile);
  return report === undefined ? { quarantineReason: 'UNUSABLE_STATUS' } : { kind, id: id.data, report };
}

/** The id of the entity, and the object that has it; undefined if no object has an id that can be used. */
export function findEntity(body: unknown, place: EntityFields) {
  const resources = resourcesIn(body, place.wrappers);
  const found = findField(resources, place.id);
  const id = receivedEntityId.safeParse(found?.value).data;
  return found === undefined || id === undefined ? undefined : { id, resource: found.resource, resources };
}

/** The first of these fields that is an id of the platform, if it is one at all. */
export function idIn(resources: readonly Fields[], names: readonly string[]): string | undefined {
  return receivedEntityId.safeParse(findField(resources, names)?.value).data;
}

/** The first error that any of these has. A platform can write an empty value, `false` or 0 if nothing failed. */
function findError(resources: readonly Fields[]): unknown {
  return resources.map((resource) => own(resource, 'validationError')).find(saysSomething);
}

function saysSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** Undefined if there is a status that is not a word. */
function readNews(
  resources: readonly Fields[],
  place: EntityFields,
  profile: PlacingProfile,
): StatusReport | undefined {
  const status = toStatus(place.kind, profile, findField(resources, place.status)?.value);
  if (status !== undefined && status !== '' && !word.safeParse(status).success) return undefined;
  const error = findError(resources);
  const notificationType = toWord(
    findField(resources, ['notificationType'])?.value,
    (one) => one === 'VALIDATION_ERROR',
  );
  const modifiedOn = readTime(findField(resources, place.modifiedOn)?.value, profile.times);
  const hasValidationError = error !== undefined || notificationType === 'VALIDATION_ERROR';
  const fields = place.reason.flatMap((name) => resources.map((resource) => ({ name, value: own(resource, name) })));
  const reasonCodes = readCodes(fields, place.codes);
  return {
    ...read('status', word, status),
    ...(modifiedOn !== undefined && { modifiedOn }),
    ...read('notificationType', word, notificationType),
    ...read('errorType', word, isObject(error) ? own(error, 'errorType') : undefined),
    ...(reasonCodes.length > 0 && { reasonCodes }),
    ...(hasValidationError && { hasValidationError }),
  };
}

/** The field, or none if the value is not what the schema wants. */
function read(
  field: Exclude<keyof StatusReport, 'reasonCodes' | 'hasValidationError' | 'modifiedOn'>,
  schema: z.ZodMiniType<string>,
  value: unknown,
): StatusReport {
  // Most are absent, and zod takes long for what it refuses.
  const result = value === undefined ? undefined : schema.safeParse(value);
  return result?.success ? { [field]: result.data } : {};
}
