import { ApiError, CommandError } from '#cli/command/command-error.ts';
import { checkEventIds } from '#cli/command/event-id.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import { type ListRequest, readList } from '#cli/deployment/read-list.ts';
import { entityGroups } from '#cli/entities/entity-groups.ts';
import { keyOf } from '#cli/onboardings/operate.ts';
import { onboardingAnswer, onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import { entityAnswer, entityListAnswer, eventAnswer, eventListAnswer } from '#shared/api/query-answers.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { isAbbreviated, isDigest, isWholeId, matcherOf, searchedItems } from './short-id.ts';

/** The id of an event that a user names, short or whole. @throws {CommandError} also for the id of an entity, with its command */
export async function findEventId(api: ApiClient, given: string): Promise<string> {
  if (isDigest(given)) return given;
  const found = await findInList(api, given, {
    path: '/events',
    page: eventListAnswer,
    idsOf: ({ eventId }) => [eventId],
    resultOf: ({ eventId }) => eventId,
  });
  if (found !== undefined) return found;
  if (isWholeId(given)) {
    const known = await Promise.all(entityKinds.map((kind) => isEntity(api, kind, given)));
    const kind = entityKinds[known.indexOf(true)];
    if (kind !== undefined)
      throw new CommandError(
        `${given} is the id of an entity (${kind}), not of an event.`,
        `drawbridge ${entityGroups[kind]} show ${given} --timeline, which lists its events.`,
      );
  }
  checkEventIds(given);
  return given;
}

/** The id of an entity that a user names: short, whole, or by an event about it. @throws {CommandError} where the event is about another kind */
export async function findEntityId(api: ApiClient, kind: EntityKind, given: string): Promise<string> {
  if (isDigest(given)) return (await findEntityOfEvent(api, kind, given)) ?? given;
  if (matcherOf(given) === undefined || (!isAbbreviated(given) && (await isEntity(api, kind, given)))) return given;
  const list = { path: requestPath`/entities/${kind}`, page: entityListAnswer } as const;
  return (await findInList(api, given, { ...list, idsOf: ({ id }) => [id], resultOf: ({ id }) => id })) ?? given;
}

/**
 * What the API takes for an onboarding that a user names: by the external id, by the id of a list, short or whole, or by the id of its
 * person or verification.
 */
export async function findOnboardingKey(api: ApiClient, given: string): Promise<string> {
  const path = requestPath`/onboardings/${given}`;
  const isId = isWholeId(given) || matcherOf(given) !== undefined;
  // An externalId is a text of the partner, which can have the form of an id.
  if (!isId || (await isKnown(api.send({ method: 'GET', path }, onboardingAnswer)))) return given;
  if (isDigest(given)) return `onboardingId:${given}`;
  const found = await findInList(api, given, {
    path: '/onboardings',
    page: onboardingListAnswer,
    idsOf: (one) => [one.onboardingId, one.naturalPersonId, one.identificationVerificationId],
    resultOf: keyOf,
  });
  return found ?? given;
}

/**
 * What the API takes for a person that a user names by a whole id. A short id can stand for another person later, so an erasure takes
 * none.
 */
export async function findPersonKey(api: ApiClient, given: string): Promise<string> {
  return isWholeId(given) ? findOnboardingKey(api, given) : given;
}

async function findEntityOfEvent(api: ApiClient, kind: EntityKind, eventId: string): Promise<string | undefined> {
  const request = { method: 'GET', path: requestPath`/events/${eventId}`, query: { body: 'omit' } } as const;
  const event = await api.send(request, eventAnswer).catch((error: unknown) => {
    if (!isUnknown(error)) throw error;
  });
  if (!event?.entity || event.entity.kind === kind) return event?.entity?.id;
  const { kind: other, id } = event.entity;
  throw new CommandError(
    `The event is about another entity (${other} ${id}).`,
    `drawbridge ${entityGroups[other]} show ${id}`,
  );
}

function isEntity(api: ApiClient, kind: EntityKind, id: string): Promise<boolean> {
  return isKnown(api.send({ method: 'GET', path: requestPath`/entities/${kind}/${id}` }, entityAnswer));
}

/** An answer such as 410 is about something that has the id. The request of the command gets it, too. */
function isKnown(read: Promise<unknown>): Promise<boolean> {
  return read.then(
    () => true,
    (error: unknown) => !isUnknown(error),
  );
}

/** The API knows no such id, or takes the text for none. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && [400, 404].includes(error.status);
}

type Search<Item> = Pick<ListRequest<Item>, 'path' | 'page'> & {
  readonly idsOf: (item: Item) => readonly (string | undefined)[];
  readonly resultOf: (item: Item) => string;
};

/** Lists cannot be searched by a part of an id, so this reads the latest. @throws {CommandError} where several items have such an id */
async function findInList<Item>(
  api: ApiClient,
  given: string,
  { idsOf, resultOf, ...list }: Search<Item>,
): Promise<string | undefined> {
  const isMeant = matcherOf(given) ?? (isWholeId(given) ? (id: string) => id === given : undefined);
  if (isMeant === undefined) return undefined;
  const { items } = await readList(api, { ...list, limit: searchedItems });
  const found = items.filter((item) => idsOf(item).some((id) => id !== undefined && isMeant(id))).map(resultOf);
  const [first, ...others] = new Set(found);
  if (others.length > 0)
    throw new CommandError(
      `${given} is the beginning of ${others.length + 1} ids.`,
      `name one of them as a whole: ${[first, ...others].slice(0, 5).join(', ')}`,
    );
  return first;
}
