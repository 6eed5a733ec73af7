/** The failures that nothing in the code handles by a class of its own. Logs show the code as the name of the error. */
type ErrorCode =
  /** EventBridge did not confirm an event: publish it again. */
  | 'BusError'
  /** Secrets Manager did not give the platform credentials. */
  | 'CredentialsError'
  /** A message of the webhooks queue does not have the form that Drawbridge writes. */
  | 'DeliveryMessageError'
  /** The list of undelivered webhooks ends with a full page, and no page has a cursor: further records may be unreachable. */
  | 'EndOfListError'
  /** A row of the entities table does not have the form that Drawbridge writes. Names its fields, not their values. */
  | 'EntityRowError'
  /** Environment variables are missing or malformed. Names the variables, never their values. */
  | 'EnvironmentError'
  /** An event was handed over that is not in the event store. */
  | 'EventMissingError'
  /** A row of the events table does not have the form that Drawbridge writes. Names its fields, not their values. */
  | 'EventRowError'
  /** An invocation failed. Lambda logs the message, and returns it to the caller. */
  | 'InvocationError'
  /** A message of the onboarding queue names no onboarding. */
  | 'OnboardingMessageError'
  /** A row of the onboardings table does not have the form that Drawbridge writes. Names its fields, not their values. */
  | 'OnboardingRowError'
  /** A row of the persons table does not have the form that Drawbridge writes. Names its fields, not their values. */
  | 'PersonRowError'
  /** SQS did not confirm a message: the sender must keep it. */
  | 'QueueError'
  /** A message that should have an answer of the platform does not. Names its fields, not their values. */
  | 'ReadBackError'
  /** A message that should have an `OnboardingRequested` event does not. */
  | 'RequestEventError'
  /** A token that should be refreshed was not. The stored token stays. */
  | 'TokenRefreshError'
  /** The token service gave no usable token. Carries only the error code of RFC 6749. */
  | 'TokenServiceError'
  /** The secret does not hold a token. */
  | 'TokenStoreError'
  /** DynamoDB left a key unprocessed in every attempt. The item may exist. */
  | 'UnreadItemError'
  /** Secrets Manager did not do what was asked. */
  | 'VersionedSecretError';

/** The failures that code catches: each has a class. */
type CaughtErrorCode =
  | 'CheckpointConflictError'
  | 'ConflictError'
  | 'CredentialsMissingError'
  | 'CursorRefusedError'
  | 'JsonTextError'
  | 'PersonsCursorError'
  | 'WebhookSecretError';

/** A request that a function refuses. */
type RequestErrorCode =
  | 'InvalidRequestError'
  | 'ReconcileRequestError'
  | 'RegisterRequestError'
  /** There are more events than the count gave. */
  | 'ReplayCountError'
  | 'ReplayRequestError';

/**
 * An error of Drawbridge. Its message says what to do, and carries nothing of what was received: no personal data, token
 * or secret. So it may be logged, while the message of any other error may not.
 */
export class DrawbridgeError extends Error {
  readonly code: ErrorCode | CaughtErrorCode | RequestErrorCode;

  constructor(code: DrawbridgeError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = code;
    this.code = code;
  }
}

/** The error type that Lambda answers for an {@link InvalidRequestError}, so that a caller recognizes its own mistake. */
export const invalidRequestType = 'InvalidRequestError';

/** The caller of a function sent a request that the function does not accept. Nothing was done. */
export class InvalidRequestError extends DrawbridgeError {
  constructor(code: RequestErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}
