/**
 * The problem types of the API, one export each: a bundle contains only those that its function answers.
 * `docs/reference/problems.md` is generated from them.
 */

/** A kind of problem. A caller recognizes it by its `type`. */
export type ProblemType = {
  /** The last part of the `type`, and the heading of the problem's section in the reference. Never changed once released. */
  readonly slug: string;
  readonly status: number;
  readonly title: string;
  /** What the caller can do next, if an answer has no remedy of its own. */
  readonly remedy: string;
  /** In seconds: the header `Retry-After`. Only problems that pass by themselves have one. */
  readonly retryAfter?: number;
};

export const unavailable = {
  slug: 'unavailable',
  status: 503,
  title: 'Temporarily unavailable',
  remedy: 'Wait as long as Retry-After says, then send the same request again. A repeated request does no harm.',
  retryAfter: 5,
} as const satisfies ProblemType;

export const secretRefused = {
  slug: 'secret-refused',
  status: 401,
  title: 'Missing or wrong webhook secret',
  remedy: 'Send the registered secret in the header that detail names.',
} as const satisfies ProblemType;

export const sourceNotAllowed = {
  slug: 'source-not-allowed',
  status: 403,
  title: 'Source address not allowed',
  remedy: 'Deliver from an address within webhookSources of the settings file, or add the address to webhookSources.',
} as const satisfies ProblemType;

export const webhookTooLarge = {
  slug: 'webhook-too-large',
  status: 413,
  title: 'Webhook too large',
  remedy: 'The same webhook is always refused. Read the entity from the platform.',
} as const satisfies ProblemType;

export const unknownKind = {
  slug: 'unknown-kind',
  status: 404,
  title: 'Unknown kind of entity',
  remedy: 'Use a kind that detail names.',
} as const satisfies ProblemType;

export const invalidId = {
  slug: 'invalid-id',
  status: 400,
  title: 'Invalid id',
  remedy: 'Send the id exactly as a bus event or an answer contains the id.',
} as const satisfies ProblemType;

export const entityNotFound = {
  slug: 'entity-not-found',
  status: 404,
  title: 'Entity not found',
  remedy: 'Check the kind and the id. Drawbridge knows an entity from its first webhook on.',
} as const satisfies ProblemType;

export const eventNotFound = {
  slug: 'event-not-found',
  status: 404,
  title: 'Event not found',
  remedy: 'Check the id. After the retention of an event, the timeline of its entity remains.',
} as const satisfies ProblemType;

export const listNotKept = {
  slug: 'list-not-kept',
  status: 409,
  title: 'List not kept',
  remedy: 'Use a filter that remedy of the answer names.',
} as const satisfies ProblemType;

export const invalidRequest = {
  slug: 'invalid-request',
  status: 400,
  title: 'Invalid request',
  remedy: 'Correct each field that errors names, then send the request again.',
} as const satisfies ProblemType;

export const invalidQuery = {
  slug: 'invalid-query',
  status: 400,
  title: 'Invalid query parameters',
  remedy: 'Correct each query parameter that errors names, then send the request again.',
} as const satisfies ProblemType;

export const onboardingNotFound = {
  slug: 'onboarding-not-found',
  status: 404,
  title: 'Onboarding not found',
  remedy:
    'Check the externalId, and that the path has it percent-encoded. To start an onboarding, send POST /onboardings.',
} as const satisfies ProblemType;

export const onboardingConflict = {
  slug: 'onboarding-conflict',
  status: 409,
  title: 'Onboarding with other data exists',
  remedy: 'To request the onboarding with other data, cancel the onboarding first.',
} as const satisfies ProblemType;

export const onboardingEnded = {
  slug: 'onboarding-ended',
  status: 409,
  title: 'Onboarding has ended',
  remedy: 'A new attempt needs another externalId.',
} as const satisfies ProblemType;

export const operationImpossible = {
  slug: 'operation-impossible',
  status: 409,
  title: 'Not possible at this step',
  remedy: 'Read step and reasons: they say what the onboarding waits for, or how it ended.',
} as const satisfies ProblemType;

export const personErased = {
  slug: 'person-erased',
  status: 410,
  title: 'Person erased',
  remedy: 'An erased externalId stays erased. To onboard the person again, use another externalId.',
} as const satisfies ProblemType;

export const erasureUnderWay = {
  slug: 'erasure-under-way',
  status: 409,
  title: 'Erasure under way',
  remedy: 'Send DELETE /persons/{externalId} until the answer is 204, then use another externalId.',
} as const satisfies ProblemType;

export const personNotOnPlatform = {
  slug: 'person-not-on-platform',
  status: 409,
  title: 'Person not on the platform yet',
  remedy: 'Send the update again once the onboarding shows a naturalPersonId.',
  retryAfter: 60,
} as const satisfies ProblemType;

export const requestorRefused = {
  slug: 'requestor-refused',
  status: 409,
  title: 'Requestor refused by the platform',
  remedy:
    'Give the requestor the right on the platform, or set another one in the settings file; then send the update again.',
} as const satisfies ProblemType;

export const platformRefused = {
  slug: 'platform-refused',
  status: 502,
  title: 'Refused by the platform',
  remedy: "Ask the platform's support about the reason. The same request is refused again.",
} as const satisfies ProblemType;

export const personUnknown = {
  slug: 'person-unknown',
  status: 404,
  title: 'Person unknown',
  remedy: 'Name the person by the query parameter naturalPersonId as well.',
} as const satisfies ProblemType;

export const onboardingOpen = {
  slug: 'onboarding-open',
  status: 409,
  title: 'Onboarding still open',
  remedy: 'Cancel the onboarding, then send the erasure again.',
} as const satisfies ProblemType;

export const personNotNamed = {
  slug: 'person-not-named',
  status: 409,
  title: 'Person must be named',
  remedy:
    'Name the person by the query parameter naturalPersonId as well. Or request the onboarding again with other data, and cancel the onboarding once it shows a naturalPersonId.',
} as const satisfies ProblemType;

export const idsOfOthers = {
  slug: 'ids-of-others',
  status: 409,
  title: 'Ids of different persons',
  remedy:
    'Check the ids. If all of them are of one person, send the erasure again, and name what onboardingIds and naturalPersonIds list by the query parameters onboardingId and naturalPersonId.',
} as const satisfies ProblemType;
