import * as z from 'zod/mini';
import type { ErasureAnswer, PersonAnswer } from '#shared/api/onboarding-answers.ts';
import { CheckpointConflictError } from '#shared/aws/checkpoint.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';
import { type ApiAnswer, accessKeyOf, answer, problem } from '#shared/lambda/http-api.ts';
import type { Log } from '#shared/lambda/log.ts';
import { onboardingOpen } from '#shared/lambda/problem-types.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import type { FillPersonIndex } from '#shared/persons/fill-person-index.ts';
import type {
  EraseEvent,
  ErasePersonEvents,
  FindPerson,
  FindUnread,
  PersonFound,
} from '#shared/persons/person-events.ts';
import { lowerCaseUuid } from '#shared/persons/person-index.ts';
import type { ErasureMark, LoadedOnboarding } from './erasure-mark.ts';
import {
  type ErasureQuery,
  type ErasureSubject,
  erasure,
  invalidErasure,
  isOfAnother,
  keysOf,
  type OtherOwners,
  openRefusalOf,
  othersRefusal,
  refusalOf,
  stateOf,
} from './erasure-request.ts';
import type { ViewEvents } from './view-events.ts';

export type ErasePersonDeps = {
  readonly onboardingStore: Pick<OnboardingStore, 'load' | 'listByPerson' | 'listByVerification'>;
  readonly erasureMark: ErasureMark;
  readonly findPerson: FindPerson;
  readonly viewEvents: ViewEvents;
  readonly findUnread: FindUnread;
  readonly eraseEvent: EraseEvent;
  readonly erasePersonEvents: ErasePersonEvents;
  readonly fillPersonIndex: FillPersonIndex;
  readonly now: () => Date;
  readonly log: Log;
};

/** In milliseconds, of 29 seconds: after this time the answer asks to repeat the request. */
const deadlineMs = 20_000;

const concurrency = 10;

/**
 * Erases a person, `DELETE /persons/{externalId}`, or shows what is stored of a person, `GET /persons/{externalId}`. With the query
 * parameter `request=include` the latter also shows what the onboardings still store of their requests; the log records that.
 *
 * An erasure removes the entities of the person and its verifications, the bodies of all events about them or with the name of the
 * person, and the onboarding. A record of the erasure stays, without personal data, and no late event restores anything. Orders and
 * transfers are kept. The request must be repeated until the answer is 204: after a 202 the same request continues.
 *
 * The index of persons finds the data. For a person that was not onboarded by Drawbridge, the query parameters `naturalPersonId` and
 * `identificationVerificationId` name the person as well. The answer is 409:
 *
 * - while the onboarding is open: it would create the erased data again
 * - if the onboarding ended before it knew whether the platform has the person
 * - if an onboarding or a stored event gives an id of the request to another externalId or person, until the request names those, too
 *
 * The externalId of an onboarding that met EXTERNAL_ID_OF_ANOTHER_PERSON finds nothing, unless the request names every person of
 * whom events state it. To erase the onboarding only, the request names its own id by `onboardingId`: then the externalId finds nothing, too.
 *
 * Before it erases anything, the erasure marks the onboarding. A restart before the mark makes the erasure answer 409, a restart after the mark is refused:
 * none is accepted and then erased.
 *
 * @throws errors after which the request must be sent again, which is a 503
 */
export function createErasePerson(deps: ErasePersonDeps) {
  const { onboardingStore, erasureMark, findPerson, viewEvents, findUnread, eraseEvent, erasePersonEvents } = deps;
  const { fillPersonIndex, now, log } = deps;

  return async (event: unknown): Promise<ApiAnswer> => {
    const begunAt = now().getTime();
    const isWithin = (milliseconds: number) => () => now().getTime() < begunAt + milliseconds;
    const request = z.safeParse(erasure, event);
    if (!request.success) return invalidErasure(request.error);
    const { routeKey, pathParameters, queryStringParameters: named = {} } = request.data;
    const { externalId: onboardingId } = pathParameters;
    const isIndexed = (await fillIndex(isWithin(deadlineMs))) && isWithin(deadlineMs / 2)();
    const lookup = await lookUp(onboardingId, named);
    if (routeKey === 'GET /persons/{externalId}') {
      const view = await viewOf(lookup, isIndexed, isWithin(deadlineMs));
      if (named.request === undefined) return answer(200, view);
      const requests = requestsOf(lookup.rows);
      if (requests.length > 0)
        log.info('onboarding request read', { onboardingId, accessKeyId: accessKeyOf(request.data) });
      return answer(200, { ...view, requests });
    }
    const open = lookup.rows.map(openRefusalOf).find((refusal) => refusal !== undefined);
    if (open !== undefined) return open;
    if (!isIndexed) return notDone(named);
    const subject = await subjectOf(lookup, isWithin(deadlineMs));
    const refusal =
      refusalOf(lookup.row, subject, lookup.isOnboardingOnly) ?? othersRefusal(lookup.others, lookup.isForeign);
    return refusal ?? erase({ ...lookup, subject }, { named, accessKeyId: accessKeyOf(request.data) }, isWithin);
  };

  /** If another run fills the index at the same time, that run continues. */
  async function fillIndex(mayContinue: () => boolean): Promise<boolean> {
    try {
      return await fillPersonIndex(mayContinue, 'usable');
    } catch (error) {
      if (error instanceof CheckpointConflictError) return false;
      throw error;
    }
  }

  async function lookUp(onboardingId: string, named: ErasureQuery) {
    const row = await onboardingStore.load(onboardingId);
    const given = new Set([...(named.onboardingId ?? []), ...(row?.erasingOnboardingIds ?? [])]);
    given.delete(onboardingId);
    const onboardingIds = [onboardingId, ...given];
    const rows = [row, ...(await Promise.all([...given].map(onboardingStore.load)))];
    const asked = keysOf(undefined, named);
    const own = rows.flatMap((one) => keysOf(stateOf(one), {}));
    const marked = rows.flatMap((one) => one?.erasingKeys ?? []);
    const keys = [...asked, ...own, ...marked];
    const isOwnNamed = named.onboardingId?.includes(onboardingId) === true;
    const ofAnother = onboardingIds.filter(
      (id, index) => isOfAnother(rows[index]) || (id === onboardingId && isOwnNamed),
    );
    const foreign = await findForeign(ofAnother, {
      known: idsOf(keys, 'natural-person'),
      confirmed: [...(named.onboardingId ?? []), ...onboardingIds.filter((_, index) => rows[index]?.erasingOn)],
    });
    const names = onboardingIds.filter((id) => !foreign.onboardingIds.includes(id));
    const found = await findPerson({ keys, onboardingIds: names });
    const ofOthers = new Set([...found.otherOnboardingIds, ...(await onboardingsOf(found.keys))]);
    return {
      onboardingIds,
      foreignIds: foreign.onboardingIds,
      names,
      row,
      rows,
      found,
      isForeign: foreign.naturalPersonIds.length > 0,
      isOnboardingOnly: isOwnNamed && foreign.onboardingIds.includes(onboardingId),
      others: {
        onboardingIds: [...ofOthers].filter((id) => !onboardingIds.includes(id)),
        naturalPersonIds: [
          ...new Set([
            ...foreign.naturalPersonIds,
            ...found.otherPersonIds,
            ...unnamedOf({ asked, own, marked, found }),
          ]),
        ],
      } satisfies OtherOwners,
    };
  }

  /**
   * Of onboardings whose externalId is that of another person, those with a person of whom events state it and who is not known, or with
   * no such person; and the persons whom the request must confirm: none of a confirmed onboarding.
   *
   * @param confirmed named by the request, or being erased
   */
  async function findForeign(
    ofAnother: readonly string[],
    { known, confirmed }: { readonly known: readonly string[]; readonly confirmed: readonly string[] },
  ): Promise<OtherOwners> {
    const knownIds = new Set(known.map(lowerCaseUuid));
    const foreign = await mapConcurrent(ofAnother, concurrency, async (onboardingId) => {
      const { statedPersonIds } = await findPerson({ keys: [], onboardingIds: [onboardingId] });
      const unknown = statedPersonIds.filter((id) => !knownIds.has(id));
      if (statedPersonIds.length > 0 && unknown.length === 0) return [];
      return [{ onboardingId, naturalPersonIds: confirmed.includes(onboardingId) ? [] : unknown }];
    });
    return {
      onboardingIds: foreign.flat().map(({ onboardingId }) => onboardingId),
      naturalPersonIds: foreign.flat().flatMap(({ naturalPersonIds }) => naturalPersonIds),
    };
  }

  /** The live onboardings of the entities. */
  async function onboardingsOf(keys: readonly EntityKey[]): Promise<readonly string[]> {
    const ids = await mapConcurrent(keys, concurrency, ({ kind, id }) =>
      kind === 'natural-person' ? onboardingStore.listByPerson(id) : onboardingStore.listByVerification(id),
    );
    return ids.flat();
  }

  async function subjectOf({ row, names, found }: LookUp, mayContinue: () => boolean): Promise<ErasureSubject> {
    const { keys, events, kept } = found;
    const isIndexed = row !== undefined || keys.length + events.length + kept.length > 0;
    const isStored = isIndexed || (await findUnread({ ids: [], onboardingIds: names }, mayContinue)).length > 0;
    return { keys, isStored };
  }

  async function erase(
    lookup: LookUp & { readonly subject: ErasureSubject },
    { named, accessKeyId }: { readonly named: ErasureQuery; readonly accessKeyId: string | undefined },
    isWithin: (milliseconds: number) => () => boolean,
  ): Promise<ApiAnswer> {
    const { onboardingIds, foreignIds, names, subject, isOnboardingOnly } = lookup;
    const [own = '', ...others] = onboardingIds;
    let { keys } = subject;
    async function mark(all: readonly EntityKey[]): Promise<ApiAnswer | undefined> {
      keys = all;
      for (const id of onboardingIds) {
        const marked = await erasureMark.mark(id, { keys, onboardingIds, foreignIds }, (row) =>
          id === own ? refusalOf(row, subject, isOnboardingOnly) : openRefusalOf(row),
        );
        if (marked === 'more') return notDone(named);
        if (marked !== 'marked') return marked.refusal;
      }
      return undefined;
    }
    const refusal = await mark(keys);
    if (refusal !== undefined) return refusal;
    const isDone = await erasePersonEvents(
      { keys, onboardingIds: names },
      {
        mayContinue: isWithin(deadlineMs),
        // If another request finds more meanwhile, the onboarding stores that: the end detects it.
        onFound: async (all) => void (all.length > keys.length && (await mark(all))),
      },
    );
    // The next call has less to erase, and more time for the quarantine.
    if (!isDone || !isWithin(deadlineMs / 2)()) return notDone(named);
    const unread = await findUnread({ ids: keys.map(({ id }) => id), onboardingIds: names }, isWithin(deadlineMs));
    await mapConcurrent(unread, concurrency, eraseEvent);
    // Last, since the onboarding has the ids that a repeated call needs.
    for (const id of onboardingIds) {
      const end = await erasureMark.end(id, { keys, onboardingIds });
      if (end === 'more') return notDone(named);
      if (end === 'restarted') return problem(onboardingOpen, 'The onboarding was restarted meanwhile.');
    }
    // Has every id that is needed to repeat the erasure after a backup has restored rows of the person.
    log.info('person erased', {
      onboardingId: own,
      otherOnboardingIds: listOf([...new Set([...others, ...foreignIds])]),
      naturalPersonIds: listOf(idsOf(keys, 'natural-person')),
      identificationVerificationIds: listOf(idsOf(keys, 'identification-verification')),
      accessKeyId,
    });
    return { statusCode: 204 };
  }

  type LookUp = Awaited<ReturnType<typeof lookUp>>;

  async function viewOf(lookup: LookUp, isIndexed: boolean, mayContinue: () => boolean): Promise<PersonAnswer> {
    const { row, onboardingIds, names, found, others } = lookup;
    const unread = await findUnread({ ids: found.keys.map(({ id }) => id), onboardingIds: names }, mayContinue);
    const view = await viewEvents({ ...found, unread }, mayContinue);
    return {
      ...view,
      onboardingId: onboardingIds[0] ?? '',
      onboarding: row && (isErased(row) ? 'ERASED' : row.state.step),
      naturalPersonIds: idsOf(found.keys, 'natural-person'),
      identificationVerificationIds: idsOf(found.keys, 'identification-verification'),
      others,
      isIndexed,
      isComplete: isIndexed && view.isComplete,
    };
  }
}

/**
 * The persons of the onboardings that the request does not name, if it names any: a mistyped externalId belongs to another customer.
 * Ids that an earlier request has marked count as named.
 */
function unnamedOf({ asked, own, marked, found }: KeysOfRequest): readonly string[] {
  if (asked.length === 0) return [];
  const named = new Set([...asked, ...marked].map(({ id }) => lowerCaseUuid(id)));
  const ofOnboardings = [...idsOf(own, 'natural-person').map(lowerCaseUuid), ...found.statedPersonIds];
  return ofOnboardings.filter((id) => !named.has(id));
}

type KeysOfRequest = {
  /** What the request names. */
  readonly asked: readonly EntityKey[];
  /** What the onboardings know. */
  readonly own: readonly EntityKey[];
  /** What an erasure that has begun has found. */
  readonly marked: readonly EntityKey[];
  readonly found: PersonFound;
};

/** What the onboardings still store of their requests. */
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

/** The answer after the time limit, with the query parameters of the request. */
function notDone({ naturalPersonId, identificationVerificationId, onboardingId }: ErasureQuery): ApiAnswer {
  const next: ErasureAnswer = {
    message: 'The erasure is not complete: send the same request again.',
    naturalPersonId: naturalPersonId?.join(','),
    identificationVerificationId: identificationVerificationId?.join(','),
    onboardingId: onboardingId?.join(','),
  };
  return answer(202, next);
}
