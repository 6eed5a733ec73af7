import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { revealEvent, unlessStatus } from '#cli/deployment/api-reads.ts';
import { type OnboardingAnswer, onboardingAnswer, type PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { type EventAnswer, type EventBodyAnswer, eventBodyAnswer } from '#shared/api/query-answers.ts';
import { type EntityKey, entityName } from '#shared/entities/entity-row.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { readEntity, type ShownEntity } from './show-entity.ts';

/** All that is stored of a person, for the person. */
export type PersonExport = {
  readonly naturalPersonIds: readonly string[];
  readonly identificationVerificationIds: readonly string[];
  readonly onboardings: readonly OnboardingAnswer[];
  /** What the onboardings still hold of their requests. */
  readonly requests: NonNullable<PersonAnswer['requests']>;
  /** The person, its verifications, and what the kept events are about, each with its timeline. */
  readonly entities: readonly ShownEntity[];
  /** The events that an erasure removes, with their bodies. */
  readonly events: readonly EventAnswer[];
  /** The events that an erasure keeps. */
  readonly keptEvents: readonly EventAnswer[];
  /** Whether that is all: a person can have more events than one request lists. */
  readonly isComplete: boolean;
};

/** Bounds what the command asks of the API. */
const concurrency = 8;

/** No webhook has reported an entity, an onboarding is erased, or the retention is over. */
const gone = [404, 410];

/**
 * Reads all that is stored of a person. What ended since the person was looked up is left out.
 *
 * @throws {CommandError}
 */
export async function readExport(
  api: ApiClient,
  { naturalPersonIds, identificationVerificationIds, events, kept, requests = [], isComplete }: PersonAnswer,
  onboardingIds: readonly string[],
): Promise<PersonExport> {
  const all = <Key, Found>(keys: readonly Key[], read: (key: Key) => Promise<Found>) =>
    mapConcurrent(keys, concurrency, (key) => unlessStatus(gone, read(key))).then((found) =>
      found.filter((one) => one !== undefined),
    );
  const ofPerson: readonly EntityKey[] = [
    ...naturalPersonIds.map((id) => ({ kind: 'natural-person', id }) as const),
    ...identificationVerificationIds.map((id) => ({ kind: 'identification-verification', id }) as const),
  ];
  const ofKept = new Map(kept.flatMap(({ entity }) => (entity ? [[entityName(entity), entity]] : [])));
  const readEvents = (listed: readonly { readonly eventId: string }[]) =>
    all(listed, ({ eventId }) => readWholeEvent(api, eventId));
  return {
    naturalPersonIds,
    identificationVerificationIds,
    onboardings: await all(onboardingIds, (id) =>
      api.send({ method: 'GET', path: requestPath`/onboardings/${`onboardingId:${id}`}` }, onboardingAnswer),
    ),
    requests,
    entities: await all([...ofPerson, ...ofKept.values()], (key) => readEntity(api, key, true)),
    events: await readEvents(events),
    keptEvents: await readEvents(kept),
    isComplete,
  };
}

/** An event with its body, which comes in parts if it is too large for one answer. */
async function readWholeEvent(api: ApiClient, eventId: string): Promise<EventAnswer> {
  const event = await revealEvent(api, eventId);
  if (event.bodyBytes === undefined) return event;
  const parts: Buffer[] = [];
  for (let from: number | undefined = 0; from !== undefined; ) {
    const query = { from: String(from) };
    const part: EventBodyAnswer = await api.send(
      { method: 'GET', path: requestPath`/events/${eventId}/body`, query },
      eventBodyAnswer,
    );
    parts.push(Buffer.from(part.bodyBase64, 'base64'));
    from = part.nextFrom;
  }
  const { bodyBytes: _, ...known } = event;
  return { ...known, bodyBase64: Buffer.concat(parts).toString('base64') };
}
