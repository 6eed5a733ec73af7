import * as z from 'zod';
import { ApiError, messageOf } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { type ListRequest, readList } from '#cli/deployment/read-list.ts';
import { isAbbreviated, isDigest, isWholeId, matcherOf, searchedItems } from '#cli/ids/short-id.ts';
import { keyOf } from '#cli/onboardings/operate.ts';
import { onboardingAnswer, onboardingListAnswer } from '#shared/api/onboarding-answers.ts';
import {
  type EventListAnswer,
  entityAnswer,
  entityListAnswer,
  eventAnswer,
  eventListAnswer,
} from '#shared/api/query-answers.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { defineRead } from './define-read.ts';

/** Something with the id, and its page. */
export type Hit = { readonly what: string; readonly state: string | undefined; readonly path: string };

/** What was found, and what could not be searched and why. */
type Found = { readonly hits: readonly Hit[]; readonly unsearched: readonly string[] };

/** Asks for the id as everything that it can be. */
export function createSearchRead({ deployment: { api } }: Pick<ConsoleContext, 'deployment'>) {
  async function findEvent(eventId: string): Promise<Hit> {
    const path = requestPath`/events/${eventId}`;
    return hitOfEvent(await api.send({ method: 'GET', path, query: { body: 'omit' } }, eventAnswer));
  }

  async function findEntity(kind: EntityKind, id: string): Promise<Hit> {
    const path = requestPath`/entities/${kind}/${id}`;
    const { status } = await api.send({ method: 'GET', path }, entityAnswer);
    return { what: kind, state: status, path };
  }

  async function findOnboarding(externalId: string): Promise<Hit> {
    const path = requestPath`/onboardings/${externalId}`;
    const { step } = await api.send({ method: 'GET', path }, onboardingAnswer);
    return { what: 'onboarding', state: step, path };
  }

  /** Lists cannot be searched by a part of an id, so this reads the latest of each. */
  function findShort(isMeant: (id: string) => boolean): Promise<Found> {
    const latest = async <Item>(path: string, page: ListRequest<Item>['page']) =>
      (await readList(api, { path, page, limit: searchedItems })).items;
    const findEvents = async () => {
      const items = await latest('/events', eventListAnswer);
      return items.filter(({ eventId }) => isMeant(eventId)).map(hitOfEvent);
    };
    const findOnboardings = async () => {
      const items = await latest('/onboardings', onboardingListAnswer);
      return items
        .filter(({ onboardingId }) => isMeant(onboardingId))
        .map((one) => ({ what: 'onboarding', state: one.step, path: requestPath`/onboardings/${keyOf(one)}` }));
    };
    const findEntities = async (kind: EntityKind) => {
      const items = await latest(requestPath`/entities/${kind}`, entityListAnswer);
      return items
        .filter(({ id }) => isMeant(id))
        .map(({ id, status }) => ({ what: kind, state: status, path: requestPath`/entities/${kind}/${id}` }));
    };
    return gather([findEvents(), findOnboardings(), ...entityKinds.map(findEntities)], () => true);
  }

  return defineRead(z.object({ id: z.string().max(256) }), async ({ id }): Promise<Found> => {
    if (id === '') return { hits: [], unsearched: [] };
    const isMeant = isAbbreviated(id) ? matcherOf(id) : undefined;
    if (isMeant !== undefined) return findShort(isMeant);
    // Other systems write a UUID or a digest in capitals. An externalId is a text of the partner.
    const lowered = id.toLowerCase();
    const same = isWholeId(lowered) ? lowered : id;
    const attempts = [
      ...(isDigest(same) ? [findEvent(same), findOnboarding(`onboardingId:${same}`)] : []),
      ...entityKinds.map((kind) => findEntity(kind, same)),
      findOnboarding(id),
    ];
    // What no answer has such an id, or what the API takes for none, is not there. Anything else was not searched.
    return gather(
      attempts.map(async (attempt) => [await attempt]),
      (error) => !isAbsent(error),
    );
  });
}

/** What was found, and the failures after which something was not searched. */
async function gather(
  attempts: readonly Promise<readonly Hit[]>[],
  isUnsearched: (error: unknown) => boolean,
): Promise<Found> {
  const results = await Promise.allSettled(attempts);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  return {
    hits: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    unsearched: [...new Set(failures.filter(isUnsearched).map(messageOf))],
  };
}

function hitOfEvent({
  eventId,
  eventType,
  quarantineReason,
}: Pick<EventListAnswer['items'][number], 'eventId' | 'eventType' | 'quarantineReason'>): Hit {
  return { what: `event, ${eventType}`, state: quarantineReason ?? 'stored', path: requestPath`/events/${eventId}` };
}

function isAbsent(error: unknown): boolean {
  return error instanceof ApiError && [400, 404].includes(error.status);
}
