import { hash } from 'node:crypto';
import { type PlacedEvent, type PlacingFault, placeEvent } from '#shared/entities/place-event.ts';
import type { StatusProfile } from '#shared/entities/statuses/entity-rules.ts';
import { isObject } from '#shared/parse-json.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { JsonTextError, type JsonTextFault, type ReadJson, readJsonText } from './json-text.ts';

/** Why an event is in quarantine and has no effect. It stays in the event store, visible and replayable. */
export type QuarantineReason = JsonTextFault | 'NOT_AN_OBJECT' | 'UNKNOWN_EVENT_TYPE' | PlacingFault | UndeliveredFault;

/** What is wrong with an undelivered webhook (section 2.2) that is stored as a whole record. */
export type UndeliveredFault =
  | 'UNDELIVERED_NOT_AN_OBJECT'
  | 'UNDELIVERED_WITHOUT_ID'
  | 'UNDELIVERED_WITHOUT_EVENT_TYPE'
  | 'UNDELIVERED_WITHOUT_BODY'
  /** Only earlier releases wrote it: such a record takes effect now. */
  | 'UNDELIVERED_WITHOUT_CREATED_ON'
  | 'UNDELIVERED_TOO_LARGE';

/** The type of events that hold a whole record of an undelivered webhook, instead of the webhook in it. */
export const undeliveredEventType = 'UNDELIVERED_WEBHOOK';

/** What a webhook says, independent of how and how often it was delivered. */
export type Event = {
  /** SHA-256 in hex of the type and the canonical JSON: the same content is the same event. */
  readonly eventId: string;
  readonly eventType: string;
  readonly quarantineReason: QuarantineReason | undefined;
};

/** An event and the entity that it is about. The entity is undefined if the event has none, or is in quarantine. */
export type IdentifiedEvent = Event & { readonly placed: PlacedEvent | undefined };

/** The parts of the profile about event types. */
export type EventTypes = Pick<PlatformProfile, 'eventTypes' | 'places' | 'times'> & StatusProfile;

/**
 * Identifies the event of a body, and the entity that it can change. The id does not depend on the profile.
 *
 * @param eventType the type that the URL named
 * @param body the bytes as received
 * @param json what the body says, for a caller that reads it for other purposes, too
 */
export function identifyEvent(
  eventType: string,
  body: Uint8Array,
  profile: EventTypes,
  json: ReadJson = readJsonText(body),
): IdentifiedEvent {
  const canonical = json instanceof JsonTextError ? undefined : json.canonical;
  return { eventId: idOf(eventType, canonical ?? body), eventType, ...evaluate(eventType, json, profile) };
}

/**
 * An event that is kept in quarantine, with any content.
 *
 * @param content what makes it another event than others of its type
 */
export function quarantineEvent(eventType: string, content: string, quarantineReason: QuarantineReason): Event {
  return { eventId: idOf(eventType, content), eventType, quarantineReason };
}

type Evaluation = Pick<IdentifiedEvent, 'quarantineReason' | 'placed'>;

function evaluate(eventType: string, json: ReadJson, profile: EventTypes): Evaluation {
  if (json instanceof JsonTextError) return quarantined(json.reason);
  if (!isObject(json.value)) return quarantined('NOT_AN_OBJECT');
  if (!profile.eventTypes.includes(eventType)) return quarantined('UNKNOWN_EVENT_TYPE');
  const placed = placeEvent(eventType, json.value, profile);
  if (placed === 'no entity') return { quarantineReason: undefined, placed: undefined };
  return 'quarantineReason' in placed ? quarantined(placed.quarantineReason) : { quarantineReason: undefined, placed };
}

function quarantined(quarantineReason: QuarantineReason): Evaluation {
  return { quarantineReason, placed: undefined };
}

/** The type is hashed as a JSON string, so that two pairs of type and body never give the same text. */
function idOf(eventType: string, content: string | Uint8Array): string {
  const type = JSON.stringify(eventType);
  const text = typeof content === 'string' ? `${type}${content}` : Buffer.concat([Buffer.from(type), content]);
  return hash('sha256', text);
}
