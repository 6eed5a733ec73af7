import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type Event,
  type EventTypes,
  identifyEvent,
  quarantineEvent,
  type UndeliveredFault,
  undeliveredEventType,
} from '#shared/events/event.ts';
import { undeliveredPrefix } from '#shared/events/event-row.ts';
import { nameOfPiece } from '#shared/events/kept-record.ts';
import {
  deflateBody,
  isAtOurUrl,
  isOurs,
  maxBodyBytes,
  maxDeflatedBodyBytes,
  maxEventTypeLength,
  type OwnWebhooks,
  originOf,
  type RegisteredWebhook,
  type WebhookDelivery,
} from '#shared/events/webhook-delivery.ts';
import { isObject } from '#shared/parse-json.ts';
import { namesOf, subjectOf } from '#shared/persons/event-subject.ts';
import type { IndexEntry } from '#shared/persons/person-index.ts';
import { lenient, receivedId, receivedList, receivedText, toWord } from '#shared/platform/fields/received.ts';
import { readTimeOfOrder } from '#shared/platform/fields/timestamp.ts';
import type { UndeliveredRecord } from '#shared/platform/resources/undelivered-webhooks.ts';

type RecognizeOwnDeps = Omit<OwnWebhooks, 'secret'> & {
  /** Reads the webhook secret again. */
  readonly readSecret: () => Promise<OwnWebhooks['secret']>;
  readonly now: () => Date;
};

/** Whether a webhook is ours. @throws when that depends on the secret, and the secret cannot be read */
export type RecognizeOwn = (webhook: RegisteredWebhook) => Promise<boolean>;

/** In milliseconds: how long the secret is used without reading it again. */
const maxSecretAgeMs = 60_000;

/** Reads the secret only for a webhook at a URL that is not ours: most partners have no other system. */
export function createRecognizeOwn({ readSecret, now, ...urls }: RecognizeOwnDeps): RecognizeOwn {
  let cached: { readonly secret: OwnWebhooks['secret']; readonly readAt: number } | undefined;

  return async (webhook) => {
    if (isAtOurUrl(urls, webhook)) return true;
    const time = now().getTime();
    if (cached === undefined || time - cached.readAt >= maxSecretAgeMs)
      cached = { secret: await readSecret(), readAt: time };
    return isOurs({ ...urls, secret: cached.secret }, webhook);
  };
}

/** A piece of a record, as the event store keeps it. Only a long record in quarantine has more than one piece. */
export type RecordPiece = {
  readonly event: Event;
  readonly delivery: WebhookDelivery;
  /** The ids under which the index of persons has the event. The first piece of a record has the ids of all pieces. */
  readonly names: IndexEntry;
};

/** What the drain needs to know of a record of the list. */
export type RecordToDrain = {
  /** Undefined if no mark can name this id. */
  readonly id: string | undefined;
  /** Undefined if it cannot be read. */
  readonly createdOn: string | undefined;
  /** The scheme and host of its webhook, if that is another system's; undefined for a record of our webhooks. */
  readonly foreignOrigin?: string | undefined;
  /** All of the record that must not be lost: its event; or, in quarantine, the record itself. Empty for a record of another system. */
  readonly pieces: readonly RecordPiece[];
};

// Half a surrogate pair cannot be written in UTF-8: no table takes it.
const unicode = z.string().check(z.refine((text) => text.isWellFormed()));

const word = unicode.check(z.minLength(1));

/** The fields that are needed (section 2.2). The id goes into a key that is kept with the event. */
const record = z.object({
  id: z.catch(z.optional(z.pipe(receivedId, word.check(z.maxLength(64)))), undefined),
  webhook: z.catch(
    z.optional(
      z.object({
        eventType: z.pipe(
          z.transform((type: unknown) => toWord(type, () => true)),
          word.check(z.refine((type) => Buffer.byteLength(type) <= maxEventTypeLength)),
        ),
      }),
    ),
    undefined,
  ),
  body: z.catch(z.optional(unicode), undefined),
  createdOn: z.optional(z.unknown()),
});

type RecordFields = Omit<z.infer<typeof record>, 'createdOn'> & Pick<RecordToDrain, 'createdOn'>;

function readFields(value: unknown, { times }: EventTypes): RecordFields {
  const { createdOn, ...fields } = record.safeParse(value).data ?? {};
  return { ...fields, createdOn: readTimeOfOrder(createdOn, times) };
}

type ReadUndeliveredDeps = {
  readonly profile: EventTypes;
  readonly now: () => Date;
};

/** As the platform keeps it with the record: the webhook as it was registered when the delivery failed. */
const registeredWebhook = z.object({
  webhook: z.object({
    url: z.string().check(z.refine((url) => URL.canParse(url))),
    headers: lenient(receivedList(z.object({ name: receivedText, value: receivedText }))),
  }),
});

/** The webhook whose delivery failed; undefined if the record does not say at which URL that is. */
export function readRegisteredWebhook({ value }: UndeliveredRecord): RegisteredWebhook | undefined {
  return registeredWebhook.safeParse(value).data?.webhook;
}

/** Reads of a record of another system what limits the marks, and keeps nothing of its content. */
export function readForeign(
  { value }: UndeliveredRecord,
  { url }: RegisteredWebhook,
  { profile }: Pick<ReadUndeliveredDeps, 'profile'>,
): RecordToDrain {
  const { id, createdOn } = readFields(value, profile);
  return { id, createdOn, foreignOrigin: originOf(url), pieces: [] };
}

/**
 * Reads a record of our webhooks from the list of undelivered webhooks (section 2.2). No record is refused. One without a time that can be read
 * takes effect as well: only the marks have to know which record is older.
 *
 * The delivery id is made of the record, and the delivery's time is the record's, so that the record counts as one
 * delivery however often it is listed.
 */
export function readUndelivered(
  { value, bytes }: UndeliveredRecord,
  { profile, now }: ReadUndeliveredDeps,
): RecordToDrain {
  const { id, webhook, body, createdOn } = readFields(value, profile);
  const receivedOn = createdOn === undefined ? now().toISOString() : new Date(createdOn).toISOString();
  const quarantined = (fault: UndeliveredFault): RecordToDrain => ({
    id,
    createdOn,
    pieces: quarantine(bytes, fault, { deliveryId: deliveryIdOf(id, bytes), receivedOn }, profile),
  });
  if (!isObject(value)) return quarantined('UNDELIVERED_NOT_AN_OBJECT');
  if (id === undefined) return quarantined('UNDELIVERED_WITHOUT_ID');
  if (webhook === undefined) return quarantined('UNDELIVERED_WITHOUT_EVENT_TYPE');
  if (body === undefined) return quarantined('UNDELIVERED_WITHOUT_BODY');
  const bodyBytes = Buffer.from(body);
  const deflatedBody = deflateBody(bodyBytes);
  if (bodyBytes.length > maxBodyBytes || deflatedBody.length > maxDeflatedBodyBytes)
    return quarantined('UNDELIVERED_TOO_LARGE');
  const { eventType } = webhook;
  const event = identifyEvent(eventType, bodyBytes, profile);
  const delivery = { deliveryId: deliveryIdOf(id, bytes), eventType, receivedOn, deflatedBody };
  const names = namesOf(subjectOf(eventType, bodyBytes, profile), bodyBytes);
  return { id, createdOn, pieces: [{ event, delivery, names }] };
}

function deliveryIdOf(id: string | undefined, bytes: Uint8Array): string {
  return `${undeliveredPrefix}${id ?? digest(bytes)}`;
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** In bytes: any content of this size deflates to at most what the event store takes. */
const pieceSize = 256 * 1024;

/** The record, byte for byte, as one event; as several, in order of their delivery ids, if one could not hold it. */
function quarantine(
  bytes: Uint8Array,
  fault: UndeliveredFault,
  { deliveryId, receivedOn }: Pick<WebhookDelivery, 'deliveryId' | 'receivedOn'>,
  profile: EventTypes,
): readonly RecordPiece[] {
  const names = namesOf(subjectOf(undeliveredEventType, bytes, profile), bytes);
  const name = digest(bytes);
  const count = Math.max(1, Math.ceil(bytes.length / pieceSize));
  return Array.from({ length: count }, (_, index) => {
    const piece = bytes.subarray(index * pieceSize, (index + 1) * pieceSize);
    const content = count === 1 ? name : nameOfPiece(name, index + 1, count);
    const id = count === 1 ? deliveryId : `${deliveryId}:${content}`;
    const delivery = { deliveryId: id, receivedOn, deflatedBody: deflateBody(piece) };
    return {
      event: quarantineEvent(undeliveredEventType, content, fault),
      delivery: { ...delivery, eventType: undeliveredEventType },
      names: index === 0 ? names : { ...names, ids: [], onboardingIds: [] },
    };
  });
}
