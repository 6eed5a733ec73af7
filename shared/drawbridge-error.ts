/**
 * An error of our own. Its message says what to do, and carries nothing of what was received: no personal data, token
 * or secret. That is why it may be logged, where the message of any other error may not.
 */
export class DrawbridgeError extends Error {}

/** The error type that Lambda answers for an {@link InvalidRequestError}: the caller tells its own mistake from a failure. */
export const invalidRequestType = 'InvalidRequestError';

/** The caller of a function sent a request that the function does not accept. Nothing was done. */
export class InvalidRequestError extends DrawbridgeError {
  override readonly name: string = invalidRequestType;
}
