/** `drawbridge/platform`: the client of the platform. It needs zod and Node, and nothing of AWS. */
export {
  PlatformAnswerTooLargeError,
  type PlatformCondition,
  PlatformCursorError,
  PlatformError,
  PlatformInputError,
  PlatformNetworkError,
  PlatformSchemaError,
  PlatformTimeoutError,
  PlatformTokenError,
} from '#shared/platform/client/errors.ts';
export { type PlatformErrorDetail, PlatformHttpError } from '#shared/platform/client/http-error.ts';
