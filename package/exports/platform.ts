/** `@drawbridge-partner/drawbridge/platform`: the client of the platform. It needs zod and Node, and nothing of AWS. */
export type { AttemptRecord, CallHooks, CallRecord } from '#package/platform/call-hooks.ts';
export { createNodeFetch } from '#package/platform/node-fetch.ts';
export { connectPlatform, type EventType, type Platform, type PlatformOptions } from '#package/platform/platform.ts';
export type { PlatformOfRequestor } from '#package/platform/platform-of-requestor.ts';
export {
  type OAuthTokensOptions,
  type SecretTokensOptions,
  type TokenReport,
  TokenSecretError,
  tokensFromOAuth,
  tokensFromSecret,
} from '#package/platform/token-sources.ts';
export type { CallOptions, PlatformRequest } from '#shared/platform/client/check-input.ts';
export {
  PlatformAnswerTooLargeError,
  type PlatformCondition,
  PlatformCursorError,
  PlatformError,
  type PlatformErrorDetail,
  PlatformHttpError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformPagingError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
export { AnswerTooLargeError, type FetchedAnswer, type PlatformFetch } from '#shared/platform/client/http.ts';
export type { ListOptions, Page, PlatformList } from '#shared/platform/client/page.ts';
export type { Unreadable } from '#shared/platform/fields/received.ts';
export {
  type AnyWord,
  isKnownWord,
  type UnknownWord,
  unknownField,
  unknownWord,
} from '#shared/platform/fields/received.ts';
export type { EntityKind } from '#shared/platform/profile/event-place.ts';
export { eventTypes } from '#shared/platform/profile/event-place.ts';
export { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';
export { type CreatedNaturalPerson, isOutcomeUnknown } from '#shared/platform/resources/create-natural-person.ts';
export {
  type IdentificationVerification,
  identificationVerificationStatusWords,
  type NewIdentificationVerification,
} from '#shared/platform/resources/identification-verifications.ts';
export type { ListNaturalPersonsOptions } from '#shared/platform/resources/list-natural-persons.ts';
export {
  type NaturalPerson,
  type NaturalPersonStatus,
  naturalPersonStatusWords,
} from '#shared/platform/resources/natural-person.ts';
export type { NewNaturalPersonIdentification } from '#shared/platform/resources/natural-person-identification.ts';
export type { NaturalPersonUpdateData, NewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
export type { UpdateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
export type { PlatformDocument } from '#shared/platform/resources/traditional-assets.ts';
export { type Transfer, transferStatusWords } from '#shared/platform/resources/transfers.ts';
export type { UndeliveredWebhook } from '#shared/platform/resources/undelivered-webhooks.ts';
export type { Webhook, WebhookData } from '#shared/platform/resources/webhooks.ts';
export type { AccessToken, TokenReadOptions, TokenSource } from '#shared/platform/token/token.ts';
export { TokenExpiredError } from '#shared/platform/token/token-cache.ts';
