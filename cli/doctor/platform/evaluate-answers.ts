import { countOf } from '#cli/output/count-of.ts';
import { rulesWith, toStatus } from '#shared/entities/statuses/entity-rules.ts';
import { isSuccess, parseBody } from '#shared/platform/client/http.ts';
import { toHttpError } from '#shared/platform/client/read-http-error.ts';
import { word as receivedWord, toWord } from '#shared/platform/fields/received.ts';
import { readTimeOfOrder } from '#shared/platform/fields/timestamp.ts';
import { type EntityKind, exAnteEventType, exAnteStandIn } from '#shared/platform/profile/event-place.ts';
import {
  capitalized,
  meaningOfVerification,
  type PlatformProfile,
  usualVerificationWords,
} from '#shared/platform/profile/profile.ts';
import { type Evaluation, fieldOf, good, isStatusWord, nameFields, problem, report, unknown } from './evaluation.ts';
import { isAnswer, type Observed } from './platform-reads.ts';

/** The members of a list, whose fields some checks read. */
export type Seen = { readonly of: string; readonly members: readonly unknown[]; readonly times: readonly string[] };

type TimeForm = 'with a zone' | 'without a zone' | 'seconds' | 'milliseconds' | 'not readable';

/** The forms of times (section 2). */
export function evaluateTimes(seen: readonly Seen[], { times }: Pick<PlatformProfile, 'times'>): Evaluation {
  const forms = new Map<TimeForm, Set<string>>();
  for (const { of, members, times: names } of seen)
    for (const name of names)
      for (const value of members.map((member) => fieldOf(member, name))) {
        // An empty text says of a time that it is not there.
        if (value === undefined || value === null || value === '') continue;
        const form = timeForm(value);
        forms.set(form, (forms.get(form) ?? new Set()).add(`${name} of ${of}`));
      }
  if (forms.size === 0)
    return unknown('no list has a member with a time', 'drawbridge doctor --platform, once there are persons');
  const detail = [...forms].map(([form, names]) => `${wordsOf(form)}: ${[...names].join(', ')}`).join('; ');
  const units = (['seconds', 'milliseconds'] as const).filter((unit) => forms.has(unit));
  const [unit] = units;
  if (forms.has('not readable') || units.length > 1) return problem(detail, report);
  const change = unit !== undefined && unit !== times.unit ? { times: { unit } } : undefined;
  const remedies = [
    ...(change === undefined ? [] : [`Set platformProfile.times.unit to ${unit}.`]),
    ...(forms.has('without a zone') && times.zone === undefined
      ? [
          'Ask the operator for the zone, and set platformProfile.times.zone. Until then times are read as UTC, and createdOn of undelivered webhooks is ignored.',
        ]
      : []),
  ];
  return remedies.length === 0 ? good(detail) : problem(detail, remedies.join(' '), change);
}

function wordsOf(form: TimeForm): string {
  return form === 'seconds' || form === 'milliseconds' ? `${form} since 1970` : form;
}

/** Seconds have ten digits until the year 2286. */
const leastMilliseconds = 100_000_000_000;

function timeForm(value: unknown): TimeForm {
  if (readTimeOfOrder(value, {}) !== undefined) return 'with a zone';
  if (readTimeOfOrder(value, { zone: 'UTC' }) !== undefined) return 'without a zone';
  if (readTimeOfOrder(value, { unit: 'milliseconds' }) === undefined) return 'not readable';
  return Number(value) < leastMilliseconds ? 'seconds' : 'milliseconds';
}

/** A status as the platform writes it, and how many members have it. */
export type StatusCount = { readonly status: unknown; readonly count: number };

/** Words of a status field (sections 3.1 and 3.2) that neither the tables nor the profile have. */
export function evaluateStatuses(
  kind: EntityKind,
  { members, field }: { readonly members: readonly unknown[]; readonly field: string },
  profile: Pick<PlatformProfile, 'statuses' | 'verificationWords'>,
): Evaluation {
  const counts = members.map((member) => ({ status: fieldOf(member, field), count: 1 }));
  return evaluateStatusCounts(kind, { counts, field }, profile);
}

/** The same of statuses that were counted. */
export function evaluateStatusCounts(
  kind: EntityKind,
  { counts, field }: { readonly counts: readonly StatusCount[]; readonly field: string },
  { statuses, verificationWords }: Pick<PlatformProfile, 'statuses' | 'verificationWords'>,
): Evaluation {
  const total = sumOf(counts);
  if (total === 0) return unknown('the list has no member', 'drawbridge doctor --platform, once the list has members');
  const { isKnown } = rulesWith(statuses)[kind].statuses;
  const written = counts
    .map(({ status, count }) => ({ status: toStatus(kind, { statuses, verificationWords }, status), count }))
    .filter(({ status }) => status !== undefined && status !== null);
  if (written.length === 0) return problem(`no member of the list has the field ${field}`, report);
  const isVerification = kind === 'identification-verification';
  const shownOf = (status: unknown) => (isVerification ? toVerificationWord(status) : status);
  const unreadable = sumOf(written.filter(({ status }) => !isStatusWord(shownOf(status))));
  const hasMeaning = (status: unknown) =>
    isVerification && typeof status === 'string' && isVerificationWord(status, verificationWords);
  const shown = new Set<string>();
  const unexplained = new Set<string>();
  for (const { status } of written) {
    const word = shownOf(status);
    if (!isStatusWord(word)) continue;
    shown.add(word);
    if (!isKnown(word) && !hasMeaning(status)) unexplained.add(word);
  }
  const detail = [
    `${countOf(total, 'member has', 'members have')} ${[...shown].toSorted().join(', ') || 'no word in capitals'} in ${field}`,
    ...(unexplained.size > 0 ? [`not known: ${[...unexplained].toSorted().join(', ')}`] : []),
    ...(unreadable > 0 ? [`${countOf(unreadable, 'member has', 'members have')} no word in capitals`] : []),
  ].join('; ');
  if (unexplained.size > 0)
    return problem(
      detail,
      `Ask the operator what the words mean. Then ${isVerification ? 'add them to the lists of platformProfile.verificationWords' : `declare them in platformProfile.statuses.${kind} (docs/how-to/declare-statuses.md)`}.`,
    );
  return unreadable > 0 ? problem(detail, report) : good(detail);
}

function sumOf(counts: readonly StatusCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether a status of a verification has a meaning, in any case. */
export function isVerificationWord(status: string, own: PlatformProfile['verificationWords'] = {}): boolean {
  const {
    success = usualVerificationWords.success,
    failure = usualVerificationWords.failure,
    waiting = usualVerificationWords.waiting,
  } = own;
  return meaningOfVerification(status, { success, failure, waiting }) !== 'unknown';
}

/** An onboarding reads the status of a verification in any case: see {@link meaningOfVerification}. */
export function toVerificationWord(status: unknown): unknown {
  const { success, data } = receivedWord.safeParse(status);
  return success ? capitalized(data) : status;
}

/** Event types of the platform: those with a webhook, and those without one. */
export function evaluateEventTypes(
  members: readonly unknown[] | undefined,
  { eventTypes, exAnteEventType: named }: Pick<PlatformProfile, 'eventTypes' | 'exAnteEventType'>,
): Evaluation {
  if (members === undefined) return unknown('webhooks and missing webhooks could not both be read');
  const words = new Set(
    members.map((member) => toWord(fieldOf(member, 'eventType') ?? member, () => true)).filter(isStatusWord),
  );
  if (words.size === 0)
    return unknown('neither list has an event type', 'Ask the operator for the event types of your client.');
  const others = [...words].filter((word) => !eventTypes.includes(word)).toSorted();
  const exAnte = others.find((word) => word !== exAnteStandIn && word.endsWith('_EX_ANTE_DOCUMENT_READY_NOTIFICATION'));
  const isStandIn = eventTypes.includes(exAnteStandIn);
  const ofVendor = isStandIn && exAnteEventType.safeParse(exAnte).success ? exAnte : undefined;
  const added = others.filter((word) => word !== ofVendor);
  const detail = `${words.size} event types, of which the profile has ${words.size - others.length}`;
  if (others.length === 0) return good(detail);
  const settings = [
    ...(ofVendor === undefined ? [] : ['exAnteEventType']),
    ...(added.length > 0 ? ['eventTypes'] : []),
  ];
  return problem(
    `${detail}; not in the profile: ${others.join(', ')}`,
    `Set platformProfile.${settings.join(' and platformProfile.')}. Events of other types are quarantined.`,
    {
      ...(ofVendor !== undefined && { exAnteEventType: ofVendor }),
      // A settings file has the stand-in in the list: exAnteEventType takes its place.
      ...(added.length > 0 && {
        eventTypes: [...eventTypes.map((one) => (one === named ? exAnteStandIn : one)), ...added],
      }),
    },
  );
}

/** Fields that error bodies have. Others are counted, since a name could be a value. */
export const errorFields: readonly string[] = [
  ...['message', 'responseType', 'requestId', 'errorCode', 'validationString', 'errorDetails'],
  ...[
    'error',
    'errors',
    'error_description',
    'code',
    'status',
    'title',
    'detail',
    'type',
    'instance',
    'timestamp',
    'path',
    'traceId',
  ],
];

/** The answer to an id that no person has (section 7). */
export function evaluateNotFound(answer: Observed): Evaluation {
  if (!isAnswer(answer)) return unknown(answer.missed);
  const body = parseBody(answer);
  const detail = `an unknown person gets ${answer.status}, with ${nameFields(body, errorFields)}`;
  if (answer.status === 404) return good(detail);
  if (answer.status >= 500 && answer.status !== 501) return unknown(detail, 'drawbridge doctor --platform, later');
  if (isRefused(answer))
    return unknown(
      detail,
      'See the check of requestors. If the answer is the same with a requestor, report it to the maintainers.',
    );
  return problem(`${detail}: Drawbridge takes only 404 as not found`, report);
}

/** Where the condition of a refused requestor stands (section 5.6). Drawbridge finds it anywhere in a body. */
export function evaluateCondition(answer: Observed, now: Date): Evaluation {
  if (!isAnswer(answer)) return unknown(answer.missed);
  if (isSuccess(answer))
    return good('a requestor that no person is may read: the platform checks no Requestor-ID of this call');
  const { condition, isAboutCaller } = toHttpError('Get Identification Verifications', answer, { now });
  const observed = `an unknown requestor gets ${answer.status}`;
  if (answer.status >= 500 && answer.status !== 501) return unknown(observed, 'drawbridge doctor --platform, later');
  const place = placesOf(parseBody(answer)).join(', ') || 'the body';
  if (condition === 'REQUESTOR_ID_INVALID' || condition === 'VALIDATION_ERROR')
    return good(`${observed}, and ${place} says ${condition}`);
  if (isAboutCaller) return good(`${observed}, by which Drawbridge knows that the caller is refused`);
  return problem(`${observed}, and nothing in the body names the requestor or VALIDATION_ERROR`, report);
}

/** The known fields of an error body that name a condition, nested ones included. */
function placesOf(body: unknown, path: readonly string[] = []): readonly string[] {
  if (path.length > 3) return [];
  return errorFields.flatMap((name) => {
    const value = fieldOf(body, name);
    const here = [...path, name];
    if (typeof value === 'string') return /requestor|validation.?error/i.test(value) ? [here.join('.')] : [];
    const inner: unknown = Array.isArray(value) ? value[0] : value;
    return typeof inner === 'object' && inner !== null ? placesOf(inner, here) : [];
  });
}

/** The calls whose Requestor-ID the specification leaves open, as `platformProfile.requestors` has them. */
export type RequestorGroup = 'naturalPerson' | 'naturalPersons' | 'verifications' | 'webhooks' | 'undeliveredWebhooks';

/** The same call with and without a requestor. */
export type RequestorReads = {
  readonly group: RequestorGroup;
  readonly without: Observed;
  /** With the requestor of the settings: `self`, or an id; absent if it is `none`. */
  readonly configured?: { readonly requestor: string; readonly answer: Observed } | undefined;
  /** With another requestor, if the settings have none, and the call needs one. */
  readonly candidate?: { readonly requestor: string; readonly answer: Observed } | undefined;
};

/** Whether a call got past the check of its requestor. An id that no person has is found missing after that. */
export function isPassed(answer: Observed | undefined): boolean {
  return isAnswer(answer) && (isSuccess(answer) || answer.status === 404);
}

/** Whether the answer may be the refusal of a call without a requestor (section 5.2). */
export function isRefused(answer: Observed): boolean {
  return isAnswer(answer) && (answer.status === 400 || answer.status === 403);
}

/** Whether a call works without Requestor-ID, and with the one of the settings. */
export function evaluateRequestor({ group, without, configured, candidate }: RequestorReads): Evaluation {
  const setting = `platformProfile.requestors.${group}`;
  const bare = isAnswer(without) ? `without Requestor-ID ${without.status}` : `without Requestor-ID ${without.missed}`;
  if (configured !== undefined) {
    const name = configured.requestor === 'self' ? 'the person itself' : 'the requestor of the settings';
    const { answer } = configured;
    const detail = `${group}: ${bare}, with ${name} ${isAnswer(answer) ? answer.status : answer.missed}`;
    if (isPassed(answer)) return good(detail);
    if (isPassed(without)) return problem(detail, `Set ${setting} to none.`, { requestors: { [group]: 'none' } });
    if (!isRefused(answer)) return unknown(detail);
    return problem(
      detail,
      `Ask the operator who may make the call, and set ${setting}. Only an ACTIVE person is a requestor.`,
    );
  }
  if (isPassed(without)) return good(`${group}: ${bare}`);
  if (!isRefused(without)) return unknown(`${group}: ${bare}`);
  if (candidate !== undefined && isPassed(candidate.answer)) {
    const { requestor } = candidate;
    const name = requestor === 'self' ? 'the person itself' : 'onboarding.requestor';
    return problem(
      `${group}: ${bare}, with ${name} it works`,
      `Set ${setting} to ${requestor === 'self' ? 'self' : 'the id of onboarding.requestor'}.`,
      {
        requestors: { [group]: requestor },
      },
    );
  }
  return problem(`${group}: ${bare}`, `Ask the operator who may make the call, and set ${setting}.`);
}

/** A list of persons that was filtered by a status (section 4.3). */
export type FilteredRead = {
  readonly parameter: string;
  readonly status: string;
  readonly members: readonly unknown[] | undefined;
};

/** Whether a query parameter filters persons by their status. */
export function evaluateFilter(reads: readonly FilteredRead[], configured: string): Evaluation {
  const [first] = reads;
  if (first === undefined)
    return unknown(
      'the persons that were read do not have two statuses',
      'drawbridge doctor --platform, once there are persons of two statuses',
    );
  const filters = reads.filter(({ members, status }) =>
    members?.every((member) => toStatus('natural-person', {}, fieldOf(member, 'naturalPersonStatus')) === status),
  );
  const working = filters.find(({ members }) => members !== undefined && members.length > 0)?.parameter;
  if (working === configured) return good(`persons are filtered by ${configured}`);
  if (working !== undefined)
    return problem(
      `persons are filtered by ${working}, and not by ${configured}`,
      `Set platformProfile.naturalPersonStatusParameter to ${working}.`,
      {
        naturalPersonStatusParameter: working,
      },
    );
  return problem(
    `persons are not filtered by ${reads.map(({ parameter }) => parameter).join(' or ')}`,
    'Ask the operator for the query parameter, and set platformProfile.naturalPersonStatusParameter.',
  );
}
