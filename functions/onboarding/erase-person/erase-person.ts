import * as z from 'zod/mini';
import type { ErasureAnswer, PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import type { EventStore } from '#shared/events/event-store.ts';
import { answer, type HttpAnswer } from '#shared/lambda/http-answer.ts';
import { accessKeyOf } from '#shared/lambda/http-event.ts';
import type { Log } from '#shared/lambda/log.ts';
import { problem } from '#shared/lambda/problem.ts';
import { onboardingOpen } from '#shared/lambda/problem-types.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { ErasePersonEvents } from '#shared/persons/erase-person-events.ts';
import type { FillPersonIndex } from '#shared/persons/fill-person-index.ts';
import type { FindPerson, PersonFound } from '#shared/persons/find-person.ts';
import type { FindUnread } from '#shared/persons/find-unread.ts';
import type { ClaimOnboarding, LoadedOnboarding } from './claim-onboarding.ts';
import { type Others, openRefusalOf, othersRefusal, refusalOf, stateOf } from './erasure-refusal.ts';
import { erasure, invalidErasure, keysOf, type Named } from './erasure-request.ts';
import type { ReadKept } from './read-kept.ts';

export type ErasePersonDeps = {
  readonly onboardingStore: Pick<OnboardingStore, 'load' | 'findByPerson' | 'findByVerification'>;
  readonly claimOnboarding: ClaimOnboarding;
  readonly findPerson: FindPerson;
  readonly readKept: ReadKept;
  readonly findUnread: FindUnread;
  readonly eventStore: Pick<EventStore, 'erase'>;
  readonly erasePersonEvents: ErasePersonEvents;
  readonly fillPersonIndex: FillPersonIndex;
  readonly now: () => Date;
  readonly log: Log;
};

/** In milliseconds, of the 29 seconds that it has: then it answers that the request is to be repeated. */
const deadlineMs = 20_000;

/**
 * In milliseconds: the part of it that fills the index, and the part that looks for other persons before anything is erased. Some ten thousand
 * events are read by then: an erasure of a person with more begins with those.
 */
const [fillMs, lookMs] = [20_000, 8_000];

const concurrency = 10;

/**
 * Erases a person, `DELETE /persons/{externalId}`, or shows what is stored of a person, `GET /persons/{externalId}`: with the query parameter
 * `request=include` also what its onboardings still hold of their requests, which the log records.
 *
 * An erasure removes the person's entity and those of its verifications, the bodies of all events that speak of them or name it, and its
 * onboarding; a record that it was so stays, without personal data, and nothing late brings any of it back. Orders and transfers are kept. Can
 * be repeated, and is to be, until the answer is 204: after a 202 the same request goes on.
 *
 * What is the person's is found by the index of persons. A person that was onboarded otherwise is named by the query parameters
 * `naturalPersonId` and `identificationVerificationId` as well. 409 while the onboarding is open: it would create what was erased; where it ended
 * before it knew whether the platform has the person; and where an onboarding or a stored event gives an id of the request to another
 * externalId or person, until the request names those, too.
 *
 * The erasure first marks the onboarding. A restart comes before the mark, and the erasure answers 409; or it comes after,
 * and is refused: none is accepted and then erased.
 *
 * @throws what must be sent again, which is a 503
 */
export function createErasePerson(deps: ErasePersonDeps) {
  const {
    onboardingStore,
    claimOnboarding,
    findPerson,
    readKept,
    findUnread,
    erasePersonEvents,
    eventStore,
    fillPersonIndex,
  } = deps;
  const { now, log } = deps;

  return async (event: unknown): Promise<HttpAnswer> => {
    const begunAt = now().getTime();
    const isWithin = (milliseconds: number) => () => now().getTime() < begunAt + milliseconds;
    const request = z.safeParse(erasure, event);
    if (!request.success) return invalidErasure(request.error);
    const { routeKey, pathParameters, queryStringParameters: named = {} } = request.data;
    const { externalId: onboardingId } = pathParameters;
    const isIndexed = (await fillIndex(isWithin(fillMs))) && isWithin(lookMs / 2)();
    const isView = routeKey === 'GET /persons/{externalId}';
    const look = await lookUp(onboardingId, named, isWithin(isView ? deadlineMs : lookMs));
    if (isView) {
      const view = await viewOf(look, isIndexed, isWithin(deadlineMs));
      if (named.request === undefined) return answer(200, view);
      const requests = requestsOf(look.rows);
      if (requests.length > 0)
        log.info('onboarding request read', { onboardingId, accessKeyId: accessKeyOf(request.data) });
      return answer(200, { ...view, requests });
    }
    const open = look.rows.map(openRefusalOf).find((refusal) => refusal !== undefined);
    if (open !== undefined) return open;
    if (!isIndexed) return notDone(named);
    const refusal = refusalOf(look.row, look) ?? othersRefusal(look.others);
    return refusal ?? erase(look, { named, accessKeyId: accessKeyOf(request.data) }, isWithin);
  };

  /** Another run that is at work fills the index, too. */
  async function fillIndex(mayGoOn: () => boolean): Promise<boolean> {
    try {
      return await fillPersonIndex(mayGoOn);
    } catch (error) {
      if (error instanceof CheckpointConflictError) return false;
      throw error;
    }
  }

  async function lookUp(onboardingId: string, named: Named, mayGoOn: () => boolean) {
    const others = (named.onboardingId ?? []).filter((id) => id !== onboardingId);
    const rows = await Promise.all([onboardingId, ...others].map(onboardingStore.load));
    const [row] = rows;
    const known = rows.flatMap((one) => [...keysOf(stateOf(one), named), ...(one?.erasingKeys ?? [])]);
    const onboardingIds = [onboardingId, ...others];
    const found = await findPerson({ keys: known, onboardingIds }, mayGoOn);
    const ofOthers = new Set([...found.otherOnboardingIds, ...(await onboardingsOf(found.keys))]);
    return {
      onboardingIds,
      row,
      rows,
      found,
      others: {
        onboardingIds: [...ofOthers].filter((id) => !onboardingIds.includes(id)),
        naturalPersonIds: found.otherPersonIds,
      } satisfies Others,
    };
  }

  /** The live onboardings of the entities. */
  async function onboardingsOf(keys: readonly EntityKey[]): Promise<readonly string[]> {
    const ids = await Promise.all(
      keys.map(({ kind, id }) =>
        kind === 'natural-person' ? onboardingStore.findByPerson(id) : onboardingStore.findByVerification(id),
      ),
    );
    return ids.filter((id) => id !== undefined);
  }

  async function erase(
    look: LookUp,
    { named, accessKeyId }: { readonly named: Named; readonly accessKeyId: string | undefined },
    isWithin: (milliseconds: number) => () => boolean,
  ): Promise<HttpAnswer> {
    const { onboardingIds, found } = look;
    const [own = '', ...others] = onboardingIds;
    let { keys } = found;
    async function mark(keys: readonly EntityKey[]): Promise<HttpAnswer | undefined> {
      for (const id of onboardingIds) {
        const refusal = await claimOnboarding.mark(id, keys, (row) =>
          id === own ? refusalOf(row, look) : openRefusalOf(row),
        );
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    }
    const refusal = await mark(found.keys);
    if (refusal !== undefined) return refusal;
    const isDone = await erasePersonEvents(
      { keys: found.keys, onboardingIds },
      {
        mayGoOn: isWithin(deadlineMs),
        onFound: async (all) => {
          if (all.length > found.keys.length) await mark(all);
          keys = all;
        },
      },
    );
    // The next call has less to erase, and more time for the quarantine.
    if (!isDone || !isWithin(deadlineMs / 2)()) return notDone(named);
    const unread = await findUnread(namesIn(look), isWithin(deadlineMs));
    await mapConcurrent(unread, concurrency, async ({ eventId, otherPieces }) => {
      for (const one of [...otherPieces, eventId]) await eventStore.erase(one);
    });
    // Last, since the onboarding has the ids that a repeated call needs.
    for (const id of onboardingIds)
      if (!(await claimOnboarding.end(id))) return problem(onboardingOpen, 'The onboarding was restarted meanwhile.');
    // With every id that repeats the erasure, once a backup has brought rows of the person back.
    log.info('person erased', {
      onboardingId: own,
      otherOnboardingIds: listOf(others),
      naturalPersonIds: listOf(idsOf(keys, 'natural-person')),
      identificationVerificationIds: listOf(idsOf(keys, 'identification-verification')),
      accessKeyId,
    });
    return { statusCode: 204 };
  }

  type LookUp = Awaited<ReturnType<typeof lookUp>>;

  async function viewOf(look: LookUp, isIndexed: boolean, mayGoOn: () => boolean): Promise<PersonAnswer> {
    const { row, onboardingIds, found, others } = look;
    const unread = await findUnread(namesIn(look), mayGoOn);
    const kept = await readKept(found.kept, mayGoOn);
    return {
      onboardingId: onboardingIds[0] ?? '',
      onboarding: row && (isErased(row) ? 'ERASED' : row.state.step),
      naturalPersonIds: idsOf(found.keys, 'natural-person'),
      identificationVerificationIds: idsOf(found.keys, 'identification-verification'),
      events: [...found.events, ...unread].flatMap(({ eventId, eventType, otherPieces }) =>
        [eventId, ...otherPieces].map((piece) => ({ eventId: piece, eventType })),
      ),
      kept: kept.events,
      others,
      isIndexed,
      isComplete: isIndexed && found.isComplete && kept.isComplete,
    };
  }
}

function namesIn({ found, onboardingIds }: { readonly found: PersonFound; readonly onboardingIds: readonly string[] }) {
  return { ids: found.keys.map(({ id }) => id), onboardingIds };
}

/** What the onboardings still hold of their requests. */
function requestsOf(rows: readonly LoadedOnboarding[]): NonNullable<PersonAnswer['requests']> {
  return rows.flatMap((row) =>
    row === undefined || isErased(row) || Object.keys(row.data).length === 0
      ? []
      : [{ onboardingId: row.onboardingId, ...row.data }],
  );
}

function idsOf(keys: readonly EntityKey[], kind: EntityKey['kind']): readonly string[] {
  return keys.filter((key) => key.kind === kind).map(({ id }) => id);
}

function listOf(ids: readonly string[]): string | undefined {
  return ids.length === 0 ? undefined : ids.join(',');
}

/** The answer while time was not enough, with the query parameters of the request. */
function notDone({ naturalPersonId, identificationVerificationId, onboardingId }: Named): HttpAnswer {
  const next: ErasureAnswer = {
    message: 'The erasure is not complete: send the same request again.',
    naturalPersonId: naturalPersonId?.join(','),
    identificationVerificationId: identificationVerificationId?.join(','),
    onboardingId: onboardingId?.join(','),
  };
  return answer(202, next);
}
