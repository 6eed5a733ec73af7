/** `@drawbridge-partner/drawbridge/client`: the client of Drawbridge's own API. It signs with the AWS SDK's signer. */
export type {
  Entities,
  ListedEntities,
  ListedEvent,
  ListedOnboarding,
  Onboarding,
  Quarantine,
  StoredEvent,
  StoredPerson,
  TimelineEvent,
} from '#package/client/answers.ts';
export {
  connectDrawbridge,
  type DrawbridgeClient,
  type DrawbridgeList,
  type DrawbridgeOptions,
  type DrawbridgePage,
  type ListEntitiesOptions,
  type ListEventsOptions,
  type ListOnboardingsOptions,
  type OnboardingRequest,
  type PersonIds,
  type RequestOptions,
} from '#package/client/drawbridge.ts';
export { DrawbridgeApiError, type DrawbridgeProblem, problemWords } from '#package/client/problem-error.ts';
export { AwsCredentialsError } from '#package/client/signed-fetch.ts';
export {
  type OrderWebhook,
  type PersonWebhook,
  readWebhookBody,
  type TransferWebhook,
  type VerificationWebhook,
  webhookBodySchemas,
} from '#package/client/webhook-bodies.ts';
export { isKnownWord, type UnknownWord, unknownField, unknownWord } from '#shared/platform/fields/received.ts';
export type { UpdateNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
