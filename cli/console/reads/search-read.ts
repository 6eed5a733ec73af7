import * as z from 'zod';
import { ApiError, messageOf } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { readEntities, readEvent, readEvents, readOnboardings, unknownId } from '#cli/deployment/api-reads.ts';
import { readEntity } from '#cli/entities/show-entity.ts';
import { isAbbreviated, isDigest, isWholeId, matcherOf, searchedItems } from '#cli/ids/short-id.ts';
import { keyOf } from '#cli/onboardings/operate.ts';
import { readOnboarding } from '#cli/onboardings/read-onboarding.ts';
import type { EventListAnswer } from '#shared/api/query-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { defineRead } from './define-read.ts';

/** Something with the id, and its page. */
export type Hit = { readonly what: string; readonly state: string | undefined; readonly path: string };

/** What was found, and what could not be searched and why. */
type Found = { readonly hits: readonly Hit[]; readonly unsearched: readonly string[] };

/** Asks for the id as everything that it can be. */
export function createSearchRead({ deployment: { api } }: Pick<ConsoleContext, 'deployment'>) {
  const findEvent = async (eventId: string) => hitOfEvent(await readEvent(api, eventId));
  const findEntity = async (kind: EntityKind, id: string) => hitOfEntity(await readEntity(api, { kind, id }));
  const findOnboarding = async (externalId: string) =>
    hitOfOnboarding(externalId, await readOnboarding(api, externalId));

  /** Lists cannot be searched by a part of an id, so this reads the latest of each. */
  function findShort(isMeant: (id: string) => boolean): Promise<Found> {
    const findEvents = async () => {
      const { items } = await readEvents(api, {}, searchedItems);
      return items.filter(({ eventId }) => isMeant(eventId)).map(hitOfEvent);
    };
    const findOnboardings = async () => {
      const { items } = await readOnboardings(api, {}, searchedItems);
      return items.filter(({ onboardingId }) => isMeant(onboardingId)).map((one) => hitOfOnboarding(keyOf(one), one));
    };
    const findEntities = async (kind: EntityKind) => {
      const { items } = await readEntities(api, kind, {}, searchedItems);
      return items.filter(({ id }) => isMeant(id)).map(({ id, status }) => hitOfEntity({ kind, id, status }));
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
      (error) => !(error instanceof ApiError && unknownId.includes(error.status)),
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

function hitOfEntity({ kind, id, status }: EntityKey & { readonly status?: string | undefined }): Hit {
  return { what: kind, state: status, path: requestPath`/entities/${kind}/${id}` };
}

/** @param key what the API takes for it */
function hitOfOnboarding(key: string, { step }: { readonly step: string }): Hit {
  return { what: 'onboarding', state: step, path: requestPath`/onboardings/${key}` };
}
