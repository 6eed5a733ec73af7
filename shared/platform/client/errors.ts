/** A condition that the specification names, read from an answer's status and body (section 7). */
export type PlatformCondition =
  | 'BAD_REQUEST'
  | 'FORBIDDEN'
  | 'VALIDATION_ERROR'
  | 'REQUESTOR_ID_INVALID'
  | 'CONFLICT'
  | 'NOT_IMPLEMENTED'
  | 'NOT_FOUND'
  | 'PURGED';

/** Marks an error as safe to log: its message holds nothing that came in an answer. */
export const messageMayBeLogged: unique symbol = Symbol.for('drawbridge.messageMayBeLogged');

/**
 * A call to the platform that did not succeed. No message holds a token, a secret, or anything of a body: what the
 * platform said about single fields is in properties of {@link PlatformHttpError}.
 */
export abstract class PlatformError extends Error {
  /** The operation as section 4 calls it, for example `Get natural person`. */
  readonly operation: string;
  /** Whether the same call may succeed later. A create that failed so may have happened: `isOutcomeUnknown` says whether. */
  abstract readonly isRetryable: boolean;

  constructor(operation: string, message: string, options?: ErrorOptions) {
    super(`${operation}: ${message}`, options);
    this.operation = operation;
  }

  get [messageMayBeLogged](): true {
    return true;
  }
}

/** What a call would have sent breaks a rule of the specification: nothing was sent. */
export class PlatformInputError extends PlatformError {
  override readonly name = 'PlatformInputError';
  readonly isRetryable = false;
  /** Each field that is wrong, with the rule that it breaks and the section that states it. */
  readonly problems: readonly string[];

  constructor(operation: string, problems: readonly string[]) {
    super(operation, `nothing was sent, fix: ${problems.join('; ')}`);
    this.problems = problems;
  }
}

/** Section 4: where the credentials go, and not an id. */
const getToken = 'Get Token';

/** The connection failed, or broke: whether the platform has done what was asked is not known. */
export class PlatformNetworkError extends PlatformError {
  override readonly name = 'PlatformNetworkError';
  readonly isRetryable = true;

  constructor(operation: string, options: ErrorOptions) {
    super(operation, describeFailure(operation, failureIn(options.cause)), options);
  }
}

type NodeFailure = { readonly code: string; readonly hostname: unknown };

/** What Node says of an error, such as ENOTFOUND, or of what caused it, as `fetch` gives it. */
export function failureIn(error: unknown, isCause = false): NodeFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (/^[A-Z][A-Z0-9_]{1,40}$/.test(code)) return { code, hostname: 'hostname' in error && error.hostname };
  // No deeper: a cause can lead back to itself.
  return isCause ? undefined : failureIn(error.cause, true);
}

const unresolved: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

function describeFailure(operation: string, failure: NodeFailure | undefined): string {
  if (failure === undefined) return 'the connection to the platform failed.';
  const { code, hostname } = failure;
  if (!unresolved.has(code)) return `the connection to the platform failed (${code}).`;
  const option = operation === getToken ? 'authUrl' : 'baseUrl';
  const host = typeof hostname === 'string' && /^[\w.-]{1,253}$/.test(hostname) ? hostname : `of ${option}`;
  return `the host ${host} does not resolve (${code}). Check ${option}, and DNS.`;
}

/** There was no whole answer in time: whether the platform has done what was asked is not known. */
export class PlatformTimeoutError extends PlatformError {
  override readonly name = 'PlatformTimeoutError';
  readonly isRetryable = true;

  /** @param limit in milliseconds */
  constructor(operation: string, limit: number) {
    super(operation, `the platform did not answer within ${limit} ms.`);
  }
}

/** The platform answered with success, and with too large a body: whether it has done what was asked is not known. */
export class PlatformAnswerTooLargeError extends PlatformError {
  override readonly name = 'PlatformAnswerTooLargeError';
  readonly isRetryable = false;

  /** @param limit in bytes */
  constructor(operation: string, limit: number) {
    super(
      operation,
      `the answer has more than ${limit} bytes and was not read. Of a list, set a smaller pageSize in the platform profile; else ask the platform's support.`,
    );
  }
}

/** The cursor that the platform gave is too long, or is not a text: it is neither sent nor kept. */
export class PlatformCursorError extends PlatformError {
  override readonly name = 'PlatformCursorError';
  readonly isRetryable = false;

  /** @param limit in characters */
  constructor(operation: string, limit: number) {
    super(
      operation,
      `the platform gave a cursor that is not a Unicode text of ${limit} characters at most. Nothing after this page is read: ask the platform's support.`,
    );
  }
}

/** The list of the platform does not come to an end: nothing of it is proved to be missing. */
export class PlatformPagingError extends PlatformError {
  override readonly name = 'PlatformPagingError';
  readonly isRetryable = false;

  /** @param fault what the list does */
  constructor(operation: string, fault: string) {
    super(
      operation,
      `the list ${fault}: it does not come to an end. Nothing after this page is read: ask the platform's support.`,
    );
  }
}

/** The platform answered with success, and with a body that is not what the specification shows. */
export class PlatformSchemaError extends PlatformError {
  override readonly name = 'PlatformSchemaError';
  readonly isRetryable = false;
  /** The fields that differ. */
  readonly fields: readonly string[];

  constructor(operation: string, fields: readonly string[]) {
    super(operation, `the answer is not what the specification shows, check ${fields.join(', ')}.`);
    this.fields = fields;
  }
}

/** There is no usable token: the call did not go out, or not again. */
export class PlatformTokenError extends PlatformError {
  override readonly name = 'PlatformTokenError';
  /** False if the token service refuses the credentials, or its address is wrong. */
  readonly isRetryable: boolean;

  constructor(operation: string, options?: ErrorOptions) {
    super(operation, `there is no valid token${whyNoToken(options?.cause)}`, options);
    this.isRetryable = !(options?.cause instanceof PlatformError) || options.cause.isRetryable;
  }
}

function whyNoToken(cause: unknown): string {
  if (cause === undefined) return ': the source of tokens gave one that no header can carry.';
  if (!(cause instanceof Error)) return ': the source of tokens failed.';
  if (cause.name === 'TimeoutError') return ': the source of tokens did not answer within the time of the call.';
  if (!(messageMayBeLogged in cause)) return `: the source of tokens failed${nameOfCause(cause)}. See the cause.`;
  if (!(cause instanceof PlatformHttpError)) return `: ${cause.message}`;
  const { message, errorCode, hint } = cause;
  return `: ${[message, errorCode && `Its code is ${errorCode}.`, hint].filter(Boolean).join(' ')}`;
}

/** Such as AccessDeniedException of AWS. Of an error without a name of its own, the code, such as ECONNREFUSED. */
function nameOfCause(cause: Error): string {
  const name = cause.name === 'Error' ? failureIn(cause)?.code : cause.name;
  return name !== undefined && /^\w{1,64}$/.test(name) ? ` (${name})` : '';
}

/** What to do about each condition that the specification names. That of Bad Request depends on what the answer has. */
const hints: Readonly<Record<Exclude<PlatformCondition, 'BAD_REQUEST'>, string>> = {
  FORBIDDEN: 'Your credentials have no right to this operation: ask the operator of the platform.',
  VALIDATION_ERROR: 'The natural person of the Requestor-ID must be ACTIVE (section 5): read its naturalPersonStatus.',
  REQUESTOR_ID_INVALID: 'The natural person of the Requestor-ID needs an ACTIVE proxy for the person (section 5).',
  CONFLICT: 'The platform has one already: find it, for example by its externalId.',
  NOT_IMPLEMENTED: 'The platform does not offer this operation.',
  NOT_FOUND: 'Check the id, and the address of the platform with its path.',
  PURGED: 'It never was, or it was INVALID and the platform has removed it (section 3.3).',
};

/** One entry of `errorDetails` in the platform's error body. */
export type PlatformErrorDetail = {
  /** Undefined if it does not have the form of a field name. */
  readonly field: string | undefined;
  readonly errors: readonly { readonly code: string | undefined }[];
};

export type PlatformHttpErrorProps = {
  readonly status: number;
  readonly condition: PlatformCondition | undefined;
  readonly requestId: string | undefined;
  readonly errorCode: string | undefined;
  readonly errorDetails: readonly PlatformErrorDetail[];
  /** In milliseconds, from the header Retry-After. */
  readonly retryAfter: number | undefined;
  readonly isRetryable: boolean;
  /** Not unless given. */
  readonly isAboutCaller?: boolean | undefined;
  readonly platformText?: string | undefined;
};

/** The platform answered with a status other than success. */
export class PlatformHttpError extends PlatformError {
  override readonly name = 'PlatformHttpError';
  readonly status: number;
  /** Which condition of section 7 it is; undefined for any other. */
  readonly condition: PlatformCondition | undefined;
  /** Names the call for the operator's support. */
  readonly requestId: string | undefined;
  readonly errorCode: string | undefined;
  readonly errorDetails: readonly PlatformErrorDetail[];
  /** In milliseconds: how long the platform wants no further call (Retry-After). */
  readonly retryAfter: number | undefined;
  readonly isRetryable: boolean;
  /** Whether the platform refuses who calls, and not what was sent: 401, 403, or a body that names the Requestor-ID or rights. */
  readonly isAboutCaller: boolean;
  readonly #platformText: string | undefined;

  constructor(operation: string, props: PlatformHttpErrorProps) {
    const { status, condition, requestId } = props;
    const request = requestId === undefined ? '' : ` Request ${requestId}.`;
    super(operation, `the platform answered ${status}${condition === undefined ? '' : ` (${condition})`}.${request}`);
    this.status = status;
    this.condition = condition;
    this.requestId = requestId;
    this.errorCode = props.errorCode;
    this.errorDetails = props.errorDetails;
    this.retryAfter = props.retryAfter;
    this.isRetryable = props.isRetryable;
    this.isAboutCaller = props.isAboutCaller ?? false;
    this.#platformText = props.platformText;
  }

  /** What the platform says in words, at most 1,000 characters. It may name a person: do not log it. No log has it by itself. */
  get platformText(): string | undefined {
    return this.#platformText;
  }

  /** What you can do about the condition, if it is a known one. */
  get hint(): string | undefined {
    if (this.operation !== getToken) return this.#hintOfCondition();
    if (this.status === 404) return 'Check authUrl, and token.path of the profile.';
    return this.status === 400 || this.status === 401 ? 'Check clientId and clientSecret, and authUrl.' : undefined;
  }

  #hintOfCondition(): string | undefined {
    if (this.condition !== 'BAD_REQUEST') return this.condition && hints[this.condition];
    if (this.errorDetails.some(({ field }) => field !== undefined))
      return 'errorDetails names the fields that the platform refuses.';
    if (this.platformText !== undefined) return 'platformText says why. The platform names no field.';
    return 'The platform names neither a field nor a reason: ask its support, with the requestId.';
  }
}

/** The fields and error details that an error names at most: it goes into logs and into rows. */
export const maxNamedFields = 20;

/** The fields that a schema did not accept, the first 20. A key that may be a value, as in a record, is left out. */
export function fieldsOf({
  issues,
}: {
  readonly issues: readonly { readonly path: readonly PropertyKey[] }[];
}): readonly string[] {
  const fields = new Set<string>();
  for (const { path } of issues) {
    fields.add(path.map(nameOf).join('.') || 'the body');
    if (fields.size === maxNamedFields) break;
  }
  return [...fields];
}

function nameOf(key: PropertyKey): string {
  const name = String(key);
  return /^\w{1,64}$/.test(name) ? name : '?';
}
