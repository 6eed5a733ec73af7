import * as z from 'zod/mini';
import { enumWord, requestorId, sentFields } from '#shared/platform/fields/fields.ts';
import { word } from '#shared/platform/fields/received.ts';
import { platformTimes } from '#shared/platform/fields/timestamp.ts';
import { additionalFields } from './additional-fields.ts';
import {
  type EntityKind,
  eventPlaces,
  eventTypeName,
  eventTypes,
  exAnteEventType,
  nameExAnteEventType,
} from './event-place.ts';

/** Before the first status of an entity. */
export const beginning = '(none)';

const wordOrBeginning = z.union([word, z.literal(beginning)]);

/** A status that the platform of an environment has, and section 3 of the specification has not. */
export const declaredStatus = z.strictObject({
  status: word,
  /** Its place: directly above this status of the order, or below all others at `(none)`. */
  after: wordOrBeginning,
  /** Whether nothing follows it. */
  final: z.boolean(),
  /** Whether an entity can stay in a status that is not final, so that no report is overdue. */
  resting: z.optional(z.boolean()),
  /** What it can follow directly; `(none)` if it can be the first. */
  from: z.array(wordOrBeginning).check(z.minLength(1), z.maxLength(30)),
  /** What can follow it directly. */
  to: z._default(z.array(word).check(z.maxLength(30)), []),
  meaning: z.optional(z.string().check(z.regex(/^[^\n|]{1,100}$/))),
});

export type DeclaredStatus = Readonly<z.output<typeof declaredStatus>>;

const ofKind = z.optional(z.array(declaredStatus).check(z.maxLength(20)));

/** Further statuses of each kind of entity. `check-declared-statuses.ts` holds them against the tables of section 3. */
export const declaredStatuses = z.strictObject({
  'natural-person': ofKind,
  'identification-verification': ofKind,
  order: ofKind,
  transfer: ofKind,
} satisfies Record<EntityKind, typeof ofKind>);

export type DeclaredStatuses = Readonly<z.output<typeof declaredStatuses>>;

const words = z.array(enumWord).check(z.maxLength(50));

/**
 * The words of an environment for the statuses of a verification (section 3.2: not shown), in capitals. Each list replaces that of
 * {@link usualVerificationWords}. A status that no list has is unknown: an onboarding waits with it.
 */
export const verificationWords = z.strictObject({
  /** The person is identified. */
  success: z.optional(words.check(z.minLength(1))),
  /** The verification has ended without success. A status that has one of these words between `_` is a failure, too. */
  failure: z.optional(words),
  /** The verification continues. */
  waiting: z.optional(words),
});

export type VerificationWords = {
  readonly [List in keyof z.output<typeof verificationWords>]-?: readonly string[];
};

/** The words that were seen, and words for failure that are likely. Not in the profile: it has little room in a variable. */
export const usualVerificationWords: VerificationWords = {
  success: ['APPROVED'],
  failure: [
    'FAILED',
    'FAILURE',
    'REJECTED',
    'DECLINED',
    'DENIED',
    'REFUSED',
    'INVALID',
    'ERROR',
    'ABORTED',
    'CANCELED',
    'CANCELLED',
    'EXPIRED',
    'UNSUCCESSFUL',
    'TERMINATED',
    'FRAUD',
  ],
  waiting: ['RECEIVED', 'PENDING'],
};

/** What a status of a verification means for the onboarding that waits for it. */
export type VerificationMeaning = 'success' | 'failure' | 'waiting' | 'unknown';

/** As a setting and a reason name a status: in capitals, with `_` in place of `-` and `.`. */
export function capitalized(status: string): string {
  return status.toUpperCase().replaceAll(/[.-]/g, '_');
}

export function meaningOfVerification(
  status: string,
  { success, failure, waiting }: VerificationWords,
): VerificationMeaning {
  const word = capitalized(status);
  if (success.includes(word)) return 'success';
  if (waiting.includes(word)) return 'waiting';
  if (failure.includes(word)) return 'failure';
  // The status is kept as a reason: anything but a word in capitals could hold personal data.
  const isCode = /^[A-Z][A-Z0-9_]{0,63}$/.test(status);
  return isCode && status.split('_').some((part) => failure.includes(part)) ? 'failure' : 'unknown';
}

/** Who is named as the requestor of a call: no one (`none`), the person that the call is about (`self`), or the natural person of this id. */
export type Requestor = 'none' | 'self' | (string & {});

function oneOf(words: readonly string[], error: string) {
  return z
    .string({ error })
    .check(z.refine((text) => words.includes(text) || requestorId.safeParse(text).success, { error }));
}

const fixed = oneOf(
  ['none'],
  'must be none or the id of a natural person (section 5): self stands for the one person that a call is about',
);
const ofPerson = oneOf(['none', 'self'], 'must be none, self or the id of a natural person (section 5)');

/** The requestor of the calls whose Requestor-ID the specification leaves open, by group of operations. */
export const requestors = z.strictObject({
  /** Get natural person. */
  naturalPerson: z._default(ofPerson, 'none'),
  /** Get natural persons. */
  naturalPersons: z._default(fixed, 'none'),
  /** Get Identification Verification, and the list of them, which is read to find those of one person. */
  verifications: z.optional(ofPerson),
  /** Get transfer. */
  transfers: z.optional(ofPerson),
  /** The operations on registered webhooks. */
  webhooks: z._default(fixed, 'none'),
  /** List undelivered webhooks, and mark them delivered. */
  undeliveredWebhooks: z._default(fixed, 'none'),
});

/**
 * The Requestor-ID of a call; undefined for a call without one.
 *
 * @param person the natural person that the call is about
 */
export function requestorIdOf(requestor: Requestor, person?: string): string | undefined {
  if (requestor === 'none') return undefined;
  return requestor === 'self' ? person : requestor;
}

const path = z.string().check(z.regex(/^\/\S*$/));
const milliseconds = z.int().check(z.positive());

const values = z.strictObject({
  /** The event types of this platform (section 2.1). Events of other types are quarantined. */
  eventTypes: z._default(z.array(eventTypeName).check(z.minLength(1)), [...eventTypes]),
  /**
   * The name on this platform of VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION (section 2.1). Its first word stands for a vendor. `none` if
   * the platform has no such event type. Takes its place in `eventTypes`. Must be set in every environment but the laptop.
   */
  exAnteEventType: z.optional(exAnteEventType),
  /**
   * Where the payload of an event type names its subject (section 6), for types that differ from the defaults. A transfer is
   * read by the names of its events and by the default names.
   * `shared/platform/profile/event-place.ts` has the defaults.
   */
  places: z._default(eventPlaces, {}),
  /** Statuses of entities beside those of sections 3.1 to 3.4. */
  statuses: z._default(declaredStatuses, {}),
  /**
   * What the statuses of a verification mean for its onboarding (section 3.2): lists of words for `success`, `failure` and `waiting`.
   * Each list replaces its default. An onboarding waits with a status that no list has.
   * `shared/platform/profile/profile.ts` has the defaults.
   */
  verificationWords: z.optional(verificationWords),
  /** The path of the token service (section 5.2), below `authUrl`, and its scope if it requires one. */
  token: z.prefault(
    z.strictObject({ path: z._default(path, '/oauth2/token'), scope: z.optional(z.string().check(z.minLength(1))) }),
    {},
  ),
  /** The paths of the webhook operations (section 4.3), below `baseUrl`. */
  webhookPaths: z.prefault(
    z.strictObject({
      webhooks: z._default(path, '/webhooks'),
      missing: z._default(path, '/webhooks-missing'),
      undelivered: z._default(path, '/webhooks-undelivered'),
      markDelivered: z._default(path, '/webhooks-undelivered/mark-delivered'),
    }),
    {},
  ),
  /** The path of transfers (section 4.3), below `baseUrl`. */
  transfersPath: z._default(path, '/transfers'),
  /** The query parameter that filters natural persons by status (section 4.3). */
  naturalPersonStatusParameter: z._default(z.string().check(z.regex(/^\w+$/)), 'naturalPersonStatus'),
  /**
   * Who is named by the header Requestor-ID (section 5) of each call for which the specification leaves it open: `none`, the id of a
   * natural person, or `self`, the person that the call is about. `self` is refused for `naturalPersons`, `webhooks` and
   * `undeliveredWebhooks`. With `self`, a platform may refuse to show a person that is not ACTIVE.
   * `verifications` and `transfers` have the requestor of `onboarding.requestor` unless set.
   */
  requestors: z.prefault(requestors, {}),
  /** Fields of persons and addresses beside those of section 2.4. A list replaces the default. */
  additionalFields: z.prefault(additionalFields, {}),
  /**
   * What the platform requires of sent fields, and the specification does not state. `maxTextLength`: characters of each text of a
   * person and of an identification. `zip`, `phone`: `minLength` and `maxLength`. `hasCapitalEnums`: words of enums are in capitals.
   * `hasAsciiHeaders`: headers of webhooks are printable ASCII. Nothing of it is checked unless set.
   */
  sentFields: z.prefault(sentFields, {}),
  /**
   * Whether the platform refuses a second person of an externalId with 409 (section 2.4). If so, a create is sent again after
   * a lost answer. If not, Drawbridge searches the whole list of persons before another create.
   */
  isExternalIdUnique: z._default(z.boolean(), true),
  /**
   * Times and days. `zone`: the time zone of times that name none, such as Europe/Vienna. Unless set they are UTC, and a createdOn of
   * an undelivered webhook without a zone is ignored. `unit`: whether numbers are seconds or milliseconds since 1970; ignored unless
   * set. `dayZone`: the time zone in which identificationDate is checked (section 4.2); not checked unless set.
   */
  times: z.prefault(platformTimes, {}),
  /** Items of a page. The default is that of section 8, because the maximum is unknown. */
  pageSize: z._default(z.int().check(z.positive()), 20),
  /**
   * In milliseconds, `settle`: how long after an undelivered webhook was listed an older one may still appear, or one of the
   * same createdOn. No webhook is marked before that.
   */
  undelivered: z.prefault(z.strictObject({ settle: z._default(milliseconds, 60_000) }), {}),
  /** In milliseconds: how long one attempt, and one call with all its attempts, may take. */
  deadlines: z.prefault(
    z.strictObject({ attempt: z._default(milliseconds, 10_000), call: z._default(milliseconds, 30_000) }),
    {},
  ),
});

/**
 * What the specification leaves open, or what the platform changes over time: each value is a default that an
 * environment may override in its settings file (`platformProfile`). `docs/reference/settings.md` prints the docstrings above.
 */
export const platformProfile = z.pipe(values, z.transform(nameExAnteEventType)).check(
  z.refine(({ eventTypes: known, places }) => Object.keys(places).every((eventType) => known.includes(eventType)), {
    path: ['places'],
    error: 'must be of eventTypes: any other is quarantined',
  }),
);

export type PlatformProfile = z.infer<typeof platformProfile>;
