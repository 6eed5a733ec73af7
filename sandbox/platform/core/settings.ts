import * as z from 'zod';
import { answerForms } from '#sandbox/platform/forms/answer-forms.ts';
import { type SentFields, sentFields } from '#shared/platform/fields/fields.ts';
import { type FieldRule, fieldRule } from '#shared/platform/profile/additional-fields.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { enumWord } from './fields.ts';

/** Ten years: longer than any rule of the platform. */
export const maxSeconds = 10 * 366 * 86_400;

const seconds = z.number().min(0).max(maxSeconds);

/** A share, from none (0) to all (1). */
const share = z.number().min(0).max(1);

/** The words that the platform picks from, each with its weight. */
export const weight = z.number().min(0);

const hasOne = (weights: Readonly<Record<string, number>>) => Object.values(weights).some((one) => one > 0);

const mustHaveOne = 'must give one word a weight above 0';

const fieldName = z.string().regex(/^[A-Za-z]\w{0,63}$/);

const country = z.string().regex(/^[A-Z]{2}$/);

/** Text of 1 to 35 characters, required in these countries; or as `additionalFields` of the platform profile has it. */
const addressField = z.union([z.array(country), z.pipe(z.unknown(), fieldRule)]);

const statusName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/);

/** As the platform profile says it in `statuses`. */
const furtherStatus = z.strictObject({
  status: statusName,
  from: z.array(z.string()),
  to: z.array(statusName),
});

/** What the sandbox platform requires of sent fields, unless a profile says otherwise. */
export const usualSentFields = {
  maxTextLength: 255,
  zip: { minLength: 3, maxLength: 10 },
  phone: { minLength: 3, maxLength: 20 },
  hasCapitalEnums: true,
  hasAsciiHeaders: true,
} as const satisfies SentFields;

/** What the specification leaves open, and what a developer may want to change. */
export const settings = z.strictObject({
  tokenLifetime: z
    .int()
    .min(0)
    .max(maxSeconds)
    .default(3_600)
    .describe('Seconds for which a new token is valid (section 5.3)'),
  missingRequestorStatus: z
    .union([z.literal(400), z.literal(403)])
    .default(400)
    .describe('The status of the answer to a call without Requestor-ID: section 5 allows both'),
  requireRequestorEverywhere: z
    .boolean()
    .default(false)
    .describe(
      'Whether each call needs a Requestor-ID, as section 5 says, also those whose examples carry none: Get natural person(s) and the webhook operations. The token exchange and the creation of a person never do',
    ),
  acceptSelfBeforeActive: z
    .boolean()
    .default(true)
    .describe(
      'Whether a person that is not ACTIVE yet may act in its own identification, as some environments allow. With false, only ACTIVE persons may act (section 5)',
    ),
  externalVerifier: enumWord
    .default('EXTERNAL_VERIFIER_ID')
    .describe('The only vendor of identifications that is supported (section 2.5)'),
  acceptRedirectUrl: z
    .boolean()
    .default(true)
    .describe(
      'Whether Create Identification Verification takes redirectUrl, which was observed. With false, only the fields of section 4',
    ),
  representativeId: z
    .uuid()
    .nullable()
    .default(null)
    .describe('A natural person that gets an ACTIVE proxy for each new person'),
  additionalPersonFields: z
    .array(fieldName)
    .default([])
    .describe('Optional fields of a person in addition to section 2.4, with any value'),
  additionalAddressFields: z
    .record(fieldName, addressField)
    .default({ state: ['CA'] })
    .describe(
      'Fields of an address in addition to section 2.4: text of 1 to 35 characters with the countries in which it is required, or a rule as in the platform profile',
    ),
  sentFields: z
    .pipe(z.unknown(), sentFields)
    .default(usualSentFields)
    .describe(
      'What the platform requires of sent fields, as in the platform profile: maxTextLength, zip, phone, hasCapitalEnums, hasAsciiHeaders. A change replaces all of them',
    ),
  furtherPersonStatuses: z
    .array(furtherStatus)
    .default([])
    .describe('Statuses of a person in addition to section 3.1, what each follows, and what follows it'),
  isExternalIdUnique: z
    .boolean()
    .default(true)
    .describe('Whether a second person of an externalId is refused with 409 (section 2.4)'),
  answerForms: answerForms
    .prefault({})
    .describe(
      'The [forms](#forms-of-answers) in which answers and notifications are written. A change replaces all of them',
    ),

  checksAfter: seconds.default(1).describe('Seconds from the creation of a person to the result of its checks'),
  checkOutcomes: z
    .partialRecord(z.enum(['CREATED', 'REVIEW', 'INVALID', 'REJECTED']), weight)
    .refine(hasOne, mustHaveOne)
    .default({ CREATED: 1 })
    .describe('The results of the checks of a new person: weights of CREATED, REVIEW, INVALID and REJECTED'),
  updatesAfter: seconds.default(1).describe('Seconds from an accepted update of a person until it applies'),
  identificationsAfter: seconds
    .default(1)
    .describe('Seconds from an identification, by video or by the partner, until the person is PENDING'),
  activationsAfter: seconds.default(1).describe('Seconds from PENDING to ACTIVE'),

  identificationUrlAfter: seconds.default(1).describe('Seconds until a verification has its identificationUrl'),
  videoCallsAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from identificationUrl to the end of the video call; null: only the control API ends it'),
  videoCallOutcomes: z
    .record(z.string().regex(/^(?!(RECEIVED|PENDING)$)[A-Z][A-Z0-9_]*$/), weight)
    .refine(hasOne, mustHaveOne)
    .default({ APPROVED: 1 })
    .describe(
      'The outcomes of video calls that end by themselves: weights of statuses, APPROVED or any word for a failure',
    ),

  ordersPendingAfter: seconds.default(1).describe('Seconds from RECEIVED to PENDING, or INVALID'),
  ordersExecutedAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from PENDING to FILLED, or REJECTED; null: only the control API executes orders'),
  ordersSettledAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from FILLED to SETTLED; null: only the control API settles orders'),
  cancelsAfter: seconds.default(1).describe('Seconds from an accepted cancel to CANCELED'),
  cancelStatus: z
    .union([z.literal(200), z.literal(202)])
    .default(202)
    .describe(
      'The status of the answer to an accepted cancel: 202 without a body or, as in an older release, 200 with one',
    ),
  invoicesAfter: seconds.default(3).describe('Seconds from FILLED to the trade invoice'),
  transfersPendingAfter: seconds.default(1).describe('Seconds from RECEIVED to PENDING, INVALID or REJECTED'),
  transfersProcessedAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from PENDING to PROCESSED; null: only the control API completes transfers'),

  unlistedNotifications: z
    .boolean()
    .default(false)
    .describe(
      'Whether orders that become PENDING or CORRECTED and transfers that become INVALID are notified, which section 6 does not list',
    ),
  deliveryTimeout: z
    .number()
    .positive()
    .max(600)
    .default(10)
    .describe('Seconds of real time that a delivery waits for its answer'),
  deliveryRetriesAfter: z
    .array(seconds)
    .max(10)
    .default([1, 5])
    .describe('Seconds between the attempts of a delivery; after the last attempt the webhook is undelivered'),
  deliveriesDuplicated: share.default(0).describe('Share of deliveries that are sent twice'),
  deliveriesLost: share.default(0).describe('Share of deliveries that are neither sent nor kept as undelivered'),
  deliveriesDelayed: share.default(0).describe('Share of deliveries that are delayed by at most deliveryDelay'),
  deliveriesReordered: share
    .default(0)
    .describe('Share of deliveries that are held back until the next one is sent; with 1, each two swap places'),
  deliveryDelay: seconds.default(60).describe('Maximum seconds for which a delivery is delayed or held back'),
  undeliveredOrder: z
    .enum(['ASCENDING', 'DESCENDING', 'SHUFFLED'])
    .default('ASCENDING')
    .describe('The order of the list of undelivered webhooks, by createdOn'),
  undeliveredCursor: z
    .enum(['KEYSET', 'OFFSET', 'SNAPSHOT'])
    .default('KEYSET')
    .describe(
      'The kind of cursor of that list: KEYSET points at an item, OFFSET counts items, SNAPSHOT keeps the list as it was at the first page',
    ),
});

export type Settings = z.infer<typeof settings>;

function isShortText(rule: FieldRule): boolean {
  return rule.type === 'text' && rule.minLength === 1 && rule.maxLength === 35;
}

/** What a platform profile says of the settings. */
export function settingsOfProfile({
  additionalFields,
  sentFields: given,
  statuses,
  isExternalIdUnique,
}: PlatformProfile) {
  return {
    // What the profile leaves out, the platform checks, and Drawbridge does not.
    sentFields: { ...usualSentFields, ...given },
    furtherPersonStatuses: (statuses['natural-person'] ?? []).map(({ status, from, to }) => ({ status, from, to })),
    additionalPersonFields: Object.keys(additionalFields.person),
    additionalAddressFields: Object.fromEntries(
      Object.entries(additionalFields.address).map(([name, rule]) => [
        name,
        isShortText(rule) ? rule.requiredIn : rule,
      ]),
    ),
    isExternalIdUnique,
  };
}
