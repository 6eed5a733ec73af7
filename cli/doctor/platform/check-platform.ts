import { randomUUID } from 'node:crypto';
import { toStatus } from '#shared/entities/statuses/entity-rules.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import {
  evaluateCondition,
  evaluateEventTypes,
  evaluateFilter,
  evaluateNotFound,
  evaluateRequestor,
  evaluateStatuses,
  evaluateTimes,
  type FilteredRead,
  isPassed,
  isRefused,
  type RequestorGroup,
  type RequestorReads,
} from './evaluate-answers.ts';
import { evaluateList, type ListPlace, type ListReads, pageOf, readPages, smallLimit } from './evaluate-list.ts';
import { evaluateToken, isNoTokenService, type TokenAttempt } from './evaluate-token.ts';
import {
  type Evaluation,
  fieldOf,
  isStatusWord,
  type PlatformReport,
  problem,
  type Result,
  reportOf,
  unknown,
} from './evaluation.ts';
import type { PlatformAccess } from './platform-access.ts';
import {
  createPlatformReads,
  isAnswer,
  type Observed,
  type PlatformReads,
  type PlatformReadsDeps,
  tokenPaths,
} from './platform-reads.ts';

/** A list, and how its calls name a requestor. */
type ListProbe = {
  readonly group: RequestorGroup;
  readonly path: string;
  /** Undefined if Drawbridge states none. */
  readonly limit: number | undefined;
  /** The requestor that the settings name, and its id; undefined for none. */
  readonly configured: { readonly requestor: string; readonly id: string } | undefined;
  /** An id to try if the settings name none. */
  readonly candidate?: string | undefined;
};

type ListResult = {
  readonly reads: ListReads;
  readonly requestor: RequestorReads;
  /** The Requestor-ID with which the list was read. */
  readonly requestorId: string | undefined;
};

export const persons = '/entities/natural-persons';
export const verifications = '/entities/identification-verifications';

const noPerson = unknown(
  'verifications: no person is there to be its own requestor',
  'drawbridge doctor --platform, once there are persons',
);

/** Paths that are tried if the path of the profile is none. */
export const otherPaths = {
  webhooks: [],
  missing: ['/webhooks/missing'],
  undelivered: ['/undelivered-webhooks', '/webhooks/undelivered'],
} as const;

/**
 * Probes what the specification leaves open. Sends token requests and GETs, one after the other, and keeps nothing.
 *
 * @param reads of a caller that sees the answers as well
 */
export async function checkPlatform(
  access: PlatformAccess,
  deps: PlatformReadsDeps & { readonly now: () => Date },
  reads: PlatformReads = createPlatformReads(access, deps),
): Promise<PlatformReport> {
  const { profile, ownProfile } = access;
  const attempts = await requestToken(access, reads);
  const token: Result = ['token', evaluateToken(attempts, profile.token.scope)];
  if (reads.hasToken()) return reportOf([token, ...(await readAll(access, reads, deps.now))], ownProfile);
  const others = unknown('not done, because there is no token', 'Fix the token first, and run the command again.');
  return reportOf([token, ['other probes', others]], ownProfile);
}

async function requestToken({ profile }: PlatformAccess, reads: PlatformReads): Promise<readonly TokenAttempt[]> {
  const { path } = profile.token;
  const first = { path, answer: await reads.requestToken(path) };
  const other = tokenPaths.find((one) => one !== path);
  if (!isNoTokenService(first) || other === undefined) return [first];
  return [first, { path: other, answer: await reads.requestToken(other) }];
}

async function readAll(access: PlatformAccess, reads: PlatformReads, now: () => Date): Promise<readonly Result[]> {
  const { profile } = access;
  const { pageSize, requestors, webhookPaths } = profile;
  const place: ListPlace = { pageSize };
  const proxy = access.requestor === 'self' ? undefined : access.requestor;
  const configuredOf = (id: string) => (id === 'none' ? undefined : { requestor: id, id });

  const ofPersons = await readList(reads, pageSize, {
    group: 'naturalPersons',
    path: persons,
    limit: smallLimit,
    configured: configuredOf(requestors.naturalPersons),
    candidate: proxy,
  });
  const personMembers = membersOf(ofPersons.reads);
  const person = somePerson(personMembers);

  const requestorOfVerifications = requestors.verifications ?? access.requestor ?? 'none';
  const verificationRequestor = requestorOfVerifications === 'self' ? person : requestorOfVerifications;
  const ofVerifications = await readList(reads, pageSize, {
    group: 'verifications',
    path: verifications,
    limit: smallLimit,
    configured:
      verificationRequestor === undefined || verificationRequestor === 'none'
        ? undefined
        : { requestor: requestorOfVerifications, id: verificationRequestor },
  });
  const verificationMembers = membersOf(ofVerifications.reads);
  const condition = await reads.get(verifications, { limit: smallLimit }, randomUUID());

  const ofWebhooks = { group: 'webhooks', configured: configuredOf(requestors.webhooks), candidate: proxy } as const;
  const webhooks = await findList(reads, pageSize, 'webhooks', {
    ...ofWebhooks,
    path: webhookPaths.webhooks,
    limit: pageSize,
  });
  const missing = await findList(reads, pageSize, 'missing', {
    ...ofWebhooks,
    path: webhookPaths.missing,
    limit: undefined,
  });
  const undelivered = await findList(reads, pageSize, 'undelivered', {
    group: 'undeliveredWebhooks',
    path: webhookPaths.undelivered,
    limit: smallLimit,
    configured: configuredOf(requestors.undeliveredWebhooks),
    candidate: proxy,
  });
  const onePerson = await readPerson(access, reads, person);
  const common = ['createdOn', 'modifiedOn'];
  const isWhole = isEveryPage(webhooks.reads) && isEveryPage(missing.reads);
  const eventTypeMembers = isWhole ? [...membersOf(webhooks.reads), ...membersOf(missing.reads)] : undefined;
  return [
    ['persons', evaluateList(ofPersons.reads, place)],
    [
      'verifications',
      verificationRequestor === undefined && isRefused(ofVerifications.reads.first.answer)
        ? noPerson
        : evaluateList(ofVerifications.reads, place),
    ],
    ['webhooks', webhooks.evaluation],
    ['missing webhooks', missing.evaluation],
    ['undelivered webhooks', undelivered.evaluation],
    ['event types', evaluateEventTypes(eventTypeMembers, profile)],
    [
      'times',
      evaluateTimes(
        [
          { of: 'persons', members: personMembers, times: [...common, 'verifiedOn'] },
          { of: 'verifications', members: verificationMembers, times: common },
          { of: 'webhooks', members: membersOf(webhooks.reads), times: common },
          { of: 'undelivered webhooks', members: membersOf(undelivered.reads), times: common },
        ],
        profile,
      ),
    ],
    [
      'statuses of persons',
      evaluateStatuses('natural-person', { members: personMembers, field: 'naturalPersonStatus' }, profile),
    ],
    [
      'statuses of verifications',
      evaluateStatuses('identification-verification', { members: verificationMembers, field: 'status' }, profile),
    ],
    [
      'filter by status',
      evaluateFilter(await readFiltered(access, reads, ofPersons), profile.naturalPersonStatusParameter),
    ],
    ['not found', evaluateNotFound(onePerson.unknown)],
    ['refused requestor', evaluateCondition(condition, now())],
    ['requestors', evaluateRequestor(ofPersons.requestor)],
    ['requestors', evaluateRequestor(onePerson.requestor)],
    ['requestors', verificationRequestor === undefined ? noPerson : evaluateRequestor(ofVerifications.requestor)],
    ['requestors', evaluateRequestor(webhooks.requestor)],
    ['requestors', evaluateRequestor(undelivered.requestor)],
  ];
}

/** The pages of a list. A platform may refuse a small limit: then the limit is that of the profile. */
async function readList(reads: PlatformReads, pageSize: number, probe: ListProbe): Promise<ListResult> {
  const small = await readByRequestor(reads, pageSize, probe);
  const { limit = pageSize } = probe;
  if (limit >= pageSize || !isRefused(small.reads.first.answer)) return small;
  const again = await readByRequestor(reads, pageSize, { ...probe, limit: pageSize });
  return pageOf(again.reads.first.answer) === undefined ? small : again;
}

/** The pages of a list, by the requestor with which the call works. */
async function readByRequestor(reads: PlatformReads, pageSize: number, probe: ListProbe): Promise<ListResult> {
  const { group, path, limit, configured, candidate } = probe;
  const query = limit === undefined ? {} : { limit };
  const without = await reads.get(path, query);
  const own = configured && {
    requestor: configured.requestor,
    id: configured.id,
    answer: await reads.get(path, query, configured.id),
  };
  const isTried = configured === undefined && candidate !== undefined && isRefused(without);
  const other = isTried
    ? { requestor: candidate, id: candidate, answer: await reads.get(path, query, candidate) }
    : undefined;
  const answers = [...(own ? [own] : []), ...(other ? [other] : []), { id: undefined, answer: without }];
  const best = answers.find(({ answer }) => pageOf(answer) !== undefined) ??
    answers[0] ?? { id: undefined, answer: without };
  return {
    reads: await readPages(path, { limit, answer: best.answer }, (next) => reads.get(path, next, best.id), pageSize),
    requestor: { group, without, configured: own, candidate: other },
    requestorId: best.id,
  };
}

/** A list whose path the specification does not show. */
async function findList(
  reads: PlatformReads,
  pageSize: number,
  name: keyof typeof otherPaths,
  probe: ListProbe,
): Promise<ListResult & { readonly evaluation: Evaluation }> {
  const place = { pageSize, pathSetting: `webhookPaths.${name}` };
  const first = await readList(reads, pageSize, probe);
  const firstEvaluation = evaluateList(first.reads, place);
  const { answer } = first.reads.first;
  if (!isAnswer(answer) || answer.status !== 404) return { ...first, evaluation: firstEvaluation };
  for (const path of otherPaths[name]) {
    const other = await readList(reads, pageSize, { ...probe, path });
    if (pageOf(other.reads.first.answer) === undefined) continue;
    const { found, change } = evaluateList(other.reads, place);
    const also = name === 'undelivered' ? ' Ask the operator for the path by which webhooks are marked delivered.' : '';
    const remedy = `Set platformProfile.webhookPaths.${name} to ${path}.${also}`;
    const detail = `${probe.path} answers 404; ${found.map((one) => one.detail).join('; ')}`;
    return { ...other, evaluation: problem(detail, remedy, { ...change, webhookPaths: { [name]: path } }) };
  }
  return { ...first, evaluation: firstEvaluation };
}

/** Get natural person: an id that no person has, and the requestor of the call. */
async function readPerson(
  { profile, requestor }: PlatformAccess,
  reads: PlatformReads,
  person: string | undefined,
): Promise<{ readonly unknown: Observed; readonly requestor: RequestorReads }> {
  const group = 'naturalPerson';
  const noOne = `${persons}/${randomUUID()}`;
  const without = await reads.get(noOne);
  const own = profile.requestors.naturalPerson;
  const tried = own === 'none' && isRefused(without) ? (requestor ?? 'none') : own;
  const id = tried === 'self' ? person : tried;
  if (id === undefined || id === 'none') return { unknown: without, requestor: { group, without } };
  const withRequestor = await reads.get(noOne, {}, id);
  // A person that is its own requestor is the only one that it may read.
  const answer = tried === 'self' ? await reads.get(`${persons}/${id}`, {}, id) : withRequestor;
  const read = { requestor: tried, answer };
  return {
    unknown: isPassed(without) ? without : withRequestor,
    requestor: { group, without, ...(own === 'none' ? { candidate: read } : { configured: read }) },
  };
}

/** Filters by a status that not every person has: only then does the answer show whether it is filtered. */
async function readFiltered(
  { profile }: PlatformAccess,
  reads: PlatformReads,
  { reads: unfiltered, requestorId }: ListResult,
): Promise<readonly FilteredRead[]> {
  const [first, ...others] = membersOf(unfiltered).map(statusOf);
  // Not that of the first person, with which a list begins that is not filtered.
  const [status] = others
    .filter(isStatusWord)
    .filter((word) => word !== first)
    .toSorted();
  if (status === undefined || !isStatusWord(first)) return [];
  const filtered: FilteredRead[] = [];
  for (const parameter of new Set([profile.naturalPersonStatusParameter, 'status'])) {
    const query = { [parameter]: status, limit: profile.pageSize };
    const answer = await reads.get(persons, query, requestorId);
    filtered.push({ parameter, status, members: pageOf(answer)?.members });
    if (evaluateFilter(filtered, parameter).found.every(({ result }) => result === 'good')) break;
  }
  return filtered;
}

/** The members that were read. Pages of the small limit are the beginning of the large one. */
function membersOf({ first, second, large, afterLarge }: ListReads): readonly unknown[] {
  const [whole, after] = pageOf(large?.answer) === undefined ? [first, second] : [large, afterLarge];
  return [...(pageOf(whole?.answer)?.members ?? []), ...(pageOf(after?.answer)?.members ?? [])];
}

function isEveryPage({ first, large, afterLarge }: ListReads): boolean {
  const page = pageOf((large ?? first).answer);
  const last = page?.next === undefined ? page : pageOf(afterLarge?.answer);
  return last !== undefined && (last.next === undefined || last.members.length === 0);
}

function statusOf(person: unknown): unknown {
  return toStatus('natural-person', {}, fieldOf(person, 'naturalPersonStatus'));
}

/** The id of a person that can be a requestor: one that is ACTIVE, or else any. */
function somePerson(members: readonly unknown[]): string | undefined {
  const found = members.find((person) => statusOf(person) === 'ACTIVE') ?? members[0];
  return platformId.safeParse(fieldOf(found, 'naturalPersonId') ?? fieldOf(found, 'id')).data;
}
