import { ApiError, CommandError } from '#cli/command/command-error.ts';
import { once } from '#cli/command/once.ts';
import type { ApiClient } from '#cli/deployment/api-client.ts';
import {
  readEntities,
  readEvent,
  readEvents,
  readOnboardings,
  unknownId,
  unlessStatus,
} from '#cli/deployment/api-reads.ts';
import { entityGroups } from '#cli/entities/entity-groups.ts';
import { readEntity } from '#cli/entities/show-entity.ts';
import { listOpen } from '#cli/onboardings/list-open.ts';
import { keyOf } from '#cli/onboardings/operate.ts';
import { readOnboarding } from '#cli/onboardings/read-onboarding.ts';
import type { Output } from '#cli/output/output.ts';
import { anyReason } from '#cli/quarantine/check-reason.ts';
import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { isAbbreviated, isDigest, isWholeId, searchedItems as limit, matcherOf } from './short-id.ts';

type IdFinderDeps = {
  readonly api: ApiClient;
  /** Says what a short id stands for, before the command acts. */
  readonly note: Output['note'];
};

type Listed = Pick<OnboardingAnswer, 'onboardingId' | 'naturalPersonId' | 'identificationVerificationId' | 'step'>;

/** Bounds what a command asks of the API for ids. */
const concurrency = 4;

/**
 * Finds what the user of one command names. Lists cannot be searched by a part of an id, so the latest of each are read, once.
 *
 * @throws {CommandError} each function, if a short id stands for nothing or for several
 */
export function createIdFinder({ api, note }: IdFinderDeps) {
  const readIds = async (filter: Readonly<Record<string, string>>) =>
    (await readEvents(api, filter, limit)).items.map(({ eventId }) => eventId);
  const latestEvents = once(() => readIds({}));
  const quarantinedEvents = once(() => readIds({ quarantineReason: anyReason }));
  const latestOnboardings = once(async () => (await readOnboardings(api, {}, limit)).items);
  const stalledOnboardings = once(async () => (await listOpen(api, { isStalled: true })).items);

  /** The latest events. Where the deployment keeps no list of all, those in quarantine, if a short id is one of them. */
  const readLatestOrQuarantined = (isMeant: (id: string) => boolean): Promise<readonly string[]> =>
    latestEvents().catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.problemType === 'list-not-kept')) throw error;
      const ids = await quarantinedEvents();
      if (ids.some(isMeant)) return ids;
      throw error;
    });

  async function findEvent(given: string, isQuarantined = false): Promise<string> {
    if (isDigest(given)) return given;
    const isMeant = matcherOf(given);
    if (isMeant !== undefined) {
      const [what, ids] = isQuarantined
        ? ['event in quarantine', await quarantinedEvents()]
        : ['event', await readLatestOrQuarantined(isMeant)];
      const id = theOne(given, what, ids.filter(isMeant));
      note(`${given} is the event ${id}.`);
      return id;
    }
    if (isWholeId(given)) {
      const found = await Promise.all(
        entityKinds.map((kind) => unlessStatus(unknownId, readEntity(api, { kind, id: given }))),
      );
      const kind = entityKinds[found.findIndex((entity) => entity !== undefined)];
      if (kind !== undefined)
        throw new CommandError(
          `${given} is the id of an entity (${kind}), not of an event.`,
          `drawbridge ${entityGroups[kind]} show ${given} --timeline, which lists its events.`,
        );
    }
    throw new CommandError(
      `${given} is not the id of an event: an id has 64 hexadecimal digits.`,
      'drawbridge events ls lists the ids.',
    );
  }

  async function findOnboarding(given: string): Promise<string> {
    const isMeant = matcherOf(given);
    // An externalId is a text of the partner, which can have the form of an id.
    if ((isMeant === undefined && !isWholeId(given)) || (await isOnboarding(api, given))) return given;
    if (isDigest(given)) {
      const key = keyOf({ onboardingId: given });
      return (await isOnboarding(api, key)) ? key : given;
    }
    const latest = await latestOnboardings();
    // What the platform creates in the same minute begins alike: its ids count as a whole only.
    const isFound = (one: Listed) =>
      isMeant === undefined
        ? [one.naturalPersonId, one.identificationVerificationId].includes(given)
        : isMeant(one.onboardingId);
    const found = latest.filter(isFound);
    if (isMeant === undefined && found.length === 0) return given;
    const all: readonly Listed[] = found.length > 0 ? found : (await stalledOnboardings()).filter(isFound);
    const id = theOne(
      given,
      'onboarding',
      all.map(({ onboardingId }) => onboardingId),
    );
    note(`${given} is the onboarding ${id}, at ${all.find(({ onboardingId }) => onboardingId === id)?.step}.`);
    return keyOf({ onboardingId: id });
  }

  return {
    /** The id of an event, short or whole. @throws {CommandError} also for the id of an entity, with its command */
    findEvent,

    /** The ids of events, each once. */
    findEvents: (given: readonly string[], isQuarantined: boolean) =>
      findEach(given, (one) => findEvent(one, isQuarantined)),

    /** The id of an entity: short, whole, or by an event about it. @throws {CommandError} if the event is about another kind */
    findEntity: async (kind: EntityKind, given: string): Promise<string> => {
      if (isDigest(given)) return (await findEntityOfEvent(api, kind, given)) ?? given;
      const isMeant = matcherOf(given);
      if (isMeant === undefined || (!isAbbreviated(given) && (await isEntity(api, kind, given)))) return given;
      const { items } = await readEntities(api, kind, {}, limit);
      const id = theOne(given, kind, items.map((item) => item.id).filter(isMeant));
      note(`${given} is the ${kind} ${id}.`);
      return id;
    },

    /**
     * What the API takes for an onboarding that a user names: by the external id, by the id of a list, short or whole, or by the whole id
     * of its person or verification.
     */
    findOnboarding,

    /** The same for several, each once. */
    findOnboardings: (given: readonly string[]) => findEach(given, findOnboarding),

    /**
     * What the API takes for a person that a user names by a whole id. A short id can stand for another person later, so an erasure
     * takes none.
     */
    findPerson: async (given: string) => (isWholeId(given) ? findOnboarding(given) : given),
  };
}

async function findEach(given: readonly string[], find: (one: string) => Promise<string>): Promise<readonly string[]> {
  return [...new Set(await mapConcurrent([...new Set(given)], concurrency, find))];
}

/** @throws {CommandError} if no id is found, or several are */
function theOne(given: string, what: string, found: readonly string[]): string {
  const [id, ...others] = new Set(found);
  if (id === undefined)
    throw new CommandError(`No ${what} among the latest ${limit} matches ${given}.`, 'give the whole id.');
  if (others.length === 0) return id;
  throw new CommandError(
    `${given} stands for ${others.length + 1} ids.`,
    `name one of them as a whole: ${[id, ...others].slice(0, 5).join(', ')}`,
  );
}

async function findEntityOfEvent(api: ApiClient, kind: EntityKind, eventId: string): Promise<string | undefined> {
  const event = await unlessStatus(unknownId, readEvent(api, eventId));
  if (!event?.entity || event.entity.kind === kind) return event?.entity?.id;
  const { kind: other, id } = event.entity;
  throw new CommandError(
    `The event is about another entity (${other} ${id}).`,
    `drawbridge ${entityGroups[other]} show ${id}`,
  );
}

function isEntity(api: ApiClient, kind: EntityKind, id: string): Promise<boolean> {
  return isKnown(readEntity(api, { kind, id }));
}

function isOnboarding(api: ApiClient, key: string): Promise<boolean> {
  return isKnown(readOnboarding(api, key));
}

/** An answer such as 410 is about something that has the id. The request of the command gets it, too. */
function isKnown(read: Promise<unknown>): Promise<boolean> {
  return read.then(
    () => true,
    (error: unknown) => !(error instanceof ApiError && unknownId.includes(error.status)),
  );
}
