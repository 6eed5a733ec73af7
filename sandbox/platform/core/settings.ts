import * as z from 'zod';

/** Ten years: more than any rule of the platform takes. */
export const mostSeconds = 10 * 366 * 86_400;

const seconds = z.number().min(0).max(mostSeconds);
/** Of all, from none (0) to each (1). */
const share = z.number().min(0).max(1);
/** How the platform decides: words, each with its weight. */
const weight = z.number().min(0);
const hasOne = (weights: Readonly<Record<string, number>>) => Object.values(weights).some((one) => one > 0);
const mustHaveOne = 'must give one word a weight above 0';

const fieldName = z.string().regex(/^[A-Za-z]\w{0,63}$/);
const country = z.string().regex(/^[A-Z]{2}$/);

/** What this platform does where the specification leaves it open, or where a developer wants it otherwise. */
export const settings = z.strictObject({
  tokenLifetime: z
    .int()
    .min(0)
    .max(mostSeconds)
    .default(3_600)
    .describe('Seconds for which a new token is valid (section 5.3)'),
  missingRequestorStatus: z
    .union([z.literal(400), z.literal(403)])
    .default(400)
    .describe('What a call without Requestor-ID is answered with: section 5 allows both'),
  acceptSelfBeforeActive: z
    .boolean()
    .default(true)
    .describe(
      'Whether a person that is not ACTIVE yet may act in its own identification: an environment may accept that. With false, only ACTIVE persons may act (section 5)',
    ),
  representativeId: z
    .uuid()
    .nullable()
    .default(null)
    .describe('A natural person that gets an ACTIVE proxy for each person created from then on'),
  additionalPersonFields: z
    .array(fieldName)
    .default([])
    .describe('Optional fields of a person that the platform takes besides those of section 2.4, with any value'),
  additionalAddressFields: z
    .record(fieldName, z.array(country))
    .default({ state: ['CA'] })
    .describe(
      'Fields of an address besides those of section 2.4, text of 1 to 35 characters: each with the countries in which it must be given',
    ),

  checksAfter: seconds.default(1).describe('Seconds from the creation of a person to the outcome of its checks'),
  checkOutcomes: z
    .partialRecord(z.enum(['CREATED', 'REVIEW', 'INVALID', 'REJECTED']), weight)
    .refine(hasOne, mustHaveOne)
    .default({ CREATED: 1 })
    .describe('What the checks of a new person come to: weights of CREATED, REVIEW, INVALID and REJECTED'),
  updatesAfter: seconds.default(1).describe('Seconds from an accepted update of a person until it shows'),
  identificationsAfter: seconds
    .default(1)
    .describe('Seconds from an identification, by video or by the partner, until the person is PENDING'),
  activationsAfter: seconds.default(1).describe('Seconds from PENDING to ACTIVE'),

  identificationUrlAfter: seconds.default(1).describe('Seconds until a verification has its identificationUrl'),
  videoCallsAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from identificationUrl to the end of the video call; null: it ends when you say so'),
  videoCallOutcomes: z
    .record(z.string().regex(/^(?!(RECEIVED|PENDING)$)[A-Z][A-Z0-9_]*$/), weight)
    .refine(hasOne, mustHaveOne)
    .default({ APPROVED: 1 })
    .describe('What video calls that end of themselves come to: weights of statuses, APPROVED or any word for failure'),

  ordersPendingAfter: seconds.default(1).describe('Seconds from RECEIVED to PENDING, or INVALID'),
  ordersExecutedAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from PENDING to FILLED, or REJECTED; null: when you say so'),
  ordersSettledAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from FILLED to SETTLED; null: when you say so'),
  cancelsAfter: seconds.default(1).describe('Seconds from an accepted cancel to CANCELED'),
  cancelStatus: z
    .union([z.literal(200), z.literal(202)])
    .default(202)
    .describe('What an accepted cancel is answered with: 202 with no body, or, as in an older release, 200 with one'),
  invoicesAfter: seconds.default(3).describe('Seconds from FILLED to the trade invoice'),
  transfersPendingAfter: seconds.default(1).describe('Seconds from RECEIVED to PENDING, INVALID or REJECTED'),
  transfersProcessedAfter: seconds
    .nullable()
    .default(null)
    .describe('Seconds from PENDING to PROCESSED; null: when you say so'),

  deliveryTimeout: z
    .number()
    .positive()
    .max(600)
    .default(10)
    .describe('Seconds, of real time, that a delivery waits for its answer'),
  deliveryRetriesAfter: z
    .array(seconds)
    .max(10)
    .default([1, 5])
    .describe('Seconds between the attempts of a delivery; after the last it is kept as undelivered'),
  deliveriesDuplicated: share.default(0).describe('Share of deliveries that are sent twice'),
  deliveriesLost: share.default(0).describe('Share of deliveries that are never sent, nor kept as undelivered'),
  deliveriesDelayed: share.default(0).describe('Share of deliveries that come late, by deliveryDelay at the most'),
  deliveriesReordered: share
    .default(0)
    .describe('Share of deliveries that are held back until the next one was sent; with 1, each two change places'),
  deliveryDelay: seconds.default(60).describe('Seconds that a delivery is delayed, or held back, at the most'),
  undeliveredOrder: z
    .enum(['ASCENDING', 'DESCENDING', 'SHUFFLED'])
    .default('ASCENDING')
    .describe('The order of the list of undelivered webhooks, by createdOn'),
  undeliveredCursor: z
    .enum(['KEYSET', 'OFFSET', 'SNAPSHOT'])
    .default('KEYSET')
    .describe('What a cursor of that list is: a place in it, a number of items, or a walk over it as it was at first'),
});

export type Settings = z.infer<typeof settings>;

/** Some of the settings: the others stay as they are. Not `settings.partial()`, which would fill in the defaults. */
export const settingsChange = z.strictObject(
  Object.fromEntries(Object.entries(settings.shape).map(([name, field]) => [name, field.unwrap().optional()])),
);

/** Values are checked when it is applied. */
export type SettingsChange = Readonly<Partial<Record<keyof Settings, unknown>>>;

export type SettingsStore = {
  readonly read: () => Settings;
  /** @throws {z.ZodError} for what is no setting */
  readonly change: (change: SettingsChange) => Settings;
};

/** The defaults, but for what is given. @throws {z.ZodError} for what is no setting */
export function createSettings(initial: SettingsChange): SettingsStore {
  let current = settings.parse(initial);
  return {
    read: () => current,
    change: (change) => {
      current = settings.parse({ ...current, ...change });
      return current;
    },
  };
}

/** One of the words, as often as its weight says. @param random from 0 to 1 */
export function pickByWeight(words: Readonly<Record<string, number>>, random: number): string {
  const entries = Object.entries(words).filter(([, weight]) => weight > 0);
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random * total;
  for (const [word, weight] of entries) {
    left -= weight;
    if (left < 0) return word;
  }
  return entries.at(-1)?.[0] ?? '';
}
