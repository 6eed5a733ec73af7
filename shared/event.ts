import { createHash } from 'node:crypto';
import { type JsonText, JsonTextError, type JsonTextFault, parseJsonText } from './json-text.ts';

/** Why an event is kept aside instead of having an effect. It stays in the event store, visible and replayable. */
export type QuarantineReason = JsonTextFault | 'NOT_AN_OBJECT' | 'UNKNOWN_EVENT_TYPE' | UndeliveredFault;

/** What is wrong with an undelivered webhook (section 2.2), so that it is kept as the record that it is. */
export type UndeliveredFault =
  | 'UNDELIVERED_NOT_AN_OBJECT'
  | 'UNDELIVERED_WITHOUT_ID'
  | 'UNDELIVERED_WITHOUT_EVENT_TYPE'
  | 'UNDELIVERED_WITHOUT_BODY'
  | 'UNDELIVERED_WITHOUT_CREATED_ON'
  | 'UNDELIVERED_TOO_LARGE';

/** What a webhook says, whoever delivered it and however often. */
export type Event = {
  /** SHA-256 in hex of the type and the canonical JSON: the same content is the same event. */
  readonly eventId: string;
  readonly eventType: string;
  readonly quarantineReason: QuarantineReason | undefined;
};

/**
 * Tells which event a body is, and whether it can have an effect.
 *
 * @param eventType the type that the URL named
 * @param body the bytes as received
 * @param knownEventTypes the types of the platform profile
 */
export function identifyEvent(eventType: string, body: Uint8Array, knownEventTypes: ReadonlySet<string>): Event {
  const json = readJson(body);
  const canonical = json instanceof JsonTextError ? undefined : json.canonical;
  return {
    eventId: hash(eventType, canonical ?? body),
    eventType,
    quarantineReason: quarantineReason(eventType, json, knownEventTypes),
  };
}

/**
 * An event that is kept aside, whatever its content says.
 *
 * @param content what makes it another event than others of its type
 */
export function quarantineEvent(eventType: string, content: string, quarantineReason: QuarantineReason): Event {
  return { eventId: hash(eventType, content), eventType, quarantineReason };
}

function readJson(body: Uint8Array): JsonText | JsonTextError {
  try {
    return parseJsonText(body);
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
}

function quarantineReason(
  eventType: string,
  json: JsonText | JsonTextError,
  knownEventTypes: ReadonlySet<string>,
): QuarantineReason | undefined {
  if (json instanceof JsonTextError) return json.reason;
  if (!isObject(json.value)) return 'NOT_AN_OBJECT';
  return knownEventTypes.has(eventType) ? undefined : 'UNKNOWN_EVENT_TYPE';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The type goes in as a JSON string, so that no type and body read together like another pair. */
function hash(eventType: string, content: string | Uint8Array): string {
  return createHash('sha256').update(JSON.stringify(eventType)).update(content).digest('hex');
}
