import { DrawbridgeError } from '#shared/drawbridge-error.ts';

/** The error type that Lambda answers for an {@link InvalidRequestError}: the caller tells its own mistake from a failure. */
export const invalidRequestType = 'InvalidRequestError';

/** The caller of a function sent a request that the function does not accept. Nothing was done. */
export class InvalidRequestError extends DrawbridgeError {
  override readonly name: string = invalidRequestType;
}
