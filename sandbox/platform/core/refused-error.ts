import * as z from 'zod';

/** The statuses of section 7, and those for a rejected token. */
export type RefusedStatus = 400 | 401 | 403 | 404 | 409 | 501;

/** One invalid field. */
export type FieldProblem = { readonly field: string; readonly code: string; readonly message: string };

export type RefusedErrorOptions = {
  /** The error code, by default that of the status. */
  readonly errorCode?: string;
  readonly fields?: readonly FieldProblem[];
};

/** The platform rejects a request: the answer is an error body with a status of section 7. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: RefusedStatus;
  readonly errorCode: string | undefined;
  readonly fields: readonly FieldProblem[];

  constructor(status: RefusedStatus, message: string, { errorCode, fields = [] }: RefusedErrorOptions = {}) {
    super(message);
    this.status = status;
    this.errorCode = errorCode;
    this.fields = fields;
  }
}

/** An error body names at most this number of fields. */
const maxProblems = 100;

/** Creates the error that names each invalid field, by default Bad Request. */
export function refusedFields(problems: readonly FieldProblem[], status: RefusedStatus = 400): RefusedError {
  const fields = problems.slice(0, maxProblems);
  return new RefusedError(status, fields.map(({ field, message }) => `${field}: ${message}`).join('; '), { fields });
}

/** Creates the error for an invalid field: Bad Request. */
export function refusedField(field: string, message: string, code = 'INVALID'): RefusedError {
  return refusedFields([{ field, code, message }]);
}

/** Creates the error for a field that does not exist, or that is read-only: Bad Request. */
export function unknownField(field: string): RefusedError {
  return refusedField(field, unknownFieldMessage, 'UNKNOWN_FIELD');
}

export const unknownFieldMessage = 'The field does not exist or is read-only.';

/** The error body of every operation except Get Token. */
export const errorBody = z
  .strictObject({
    message: z.string(),
    responseType: z.string(),
    requestId: z.uuid(),
    errorCode: z.string().optional(),
    errorDetails: z
      .array(
        z.strictObject({
          field: z.string(),
          errors: z.array(z.strictObject({ code: z.string(), message: z.string() })).optional(),
        }),
      )
      .optional(),
  })
  .meta({ id: 'Error' });

export type ErrorBody = z.infer<typeof errorBody>;

const responseTypes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
};

/** Creates the error body for a status. */
export function toErrorBody(
  status: number,
  message: string,
  requestId: string,
  {
    errorCode,
    fields = [],
  }: { readonly errorCode?: string | undefined; readonly fields?: readonly FieldProblem[] } = {},
): ErrorBody {
  return {
    message,
    responseType: responseTypes[status] ?? 'ERROR',
    requestId,
    ...(errorCode !== undefined && { errorCode }),
    ...(fields.length > 0 && {
      errorDetails: fields.map(({ field, ...error }) => ({ field, errors: [error] })),
    }),
  };
}
