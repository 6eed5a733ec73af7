import { type PlatformCondition, PlatformError } from './errors.ts';

/** One entry of `errorDetails` in the platform's error body. */
export type PlatformErrorDetail = {
  /** Undefined where it does not look like the name of a field. */
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
};

/** The platform answered with a status that is no success. */
export class PlatformHttpError extends PlatformError {
  override readonly name = 'PlatformHttpError';
  readonly status: number;
  /** Which condition of section 7 it is; undefined for any other. */
  readonly condition: PlatformCondition | undefined;
  /** Names the call for the operator's support. */
  readonly requestId: string | undefined;
  readonly errorCode: string | undefined;
  readonly errorDetails: readonly PlatformErrorDetail[];
  /** In milliseconds: how long the platform wants to be left alone (Retry-After). */
  readonly retryAfter: number | undefined;
  readonly isRetryable: boolean;
  /** Whether the platform refuses who calls, and not what was sent: 401, 403, or a body that names the Requestor-ID or rights. */
  readonly isAboutCaller: boolean;

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
