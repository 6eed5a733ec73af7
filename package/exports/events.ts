/** `@drawbridge-partner/drawbridge/events`: the events of the bus, and a consumer of them. It needs zod and Node, and nothing of AWS. */
export {
  type BusEvent,
  BusEventError,
  type BusEventOf,
  busEventSchemas,
  type DetailType,
  type PlaceInOrder,
  parseBusEvent,
  placeInOrder,
} from '#package/events/bus-events.ts';
export {
  type BatchAnswer,
  type ConsumerMode,
  type ConsumerOptions,
  createConsumer,
  type Handlers,
  type MessageOutcome,
  type RunContext,
} from '#package/events/consumer.ts';
export {
  type DynamoDbCalls,
  type DynamoDbSequencesOptions,
  dynamoDbSequences,
} from '#package/events/dynamodb-sequences.ts';
export { hasReached, type ReportedEntity } from '#package/events/has-reached.ts';
export {
  type Claim,
  type ClaimAnswer,
  ClaimLostError,
  inMemorySequences,
  type SequenceStore,
} from '#package/events/sequence-store.ts';
export { type StatusOf, statusWords, transactionStatusWords } from '#package/events/status-words.ts';
export { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
export { onboardingStepWords } from '#shared/onboarding/onboarding-steps.ts';
export { isKnownWord, type UnknownWord, unknownField, unknownWord } from '#shared/platform/fields/received.ts';
