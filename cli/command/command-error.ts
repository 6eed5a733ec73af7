/** Which of its errors it is, for code that handles one of them. */
export type CliErrorCode =
  | 'API_PROBLEM'
  | 'BUDGET_SPENT'
  | 'COMMAND_FAILED'
  | 'INVALID_INPUT'
  /** The templates have what the calculation of the cost does not know. */
  | 'NOT_PRICED'
  | 'TABLES_DIFFER';

/** The base of the errors of the command line. The message is for its user: exit code 2, without a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A command could not be done. The message says why, and ends with what to try next. */
export class CommandError extends CliError {
  override readonly name: string = 'CommandError';

  /** @param next the command to try next, or a sentence that names it */
  constructor(message: string, next: string, options?: ErrorOptions & { readonly code?: CliErrorCode }) {
    super(options?.code ?? 'COMMAND_FAILED', `${message}\nNext: ${next}`, options);
  }
}

export type ApiProblem = {
  readonly status: number;
  /** The last part of the problem's type, such as `entity-not-found`. */
  readonly problemType: string | undefined;
};

/** The API answered with a problem. */
export class ApiError extends CommandError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problemType: string | undefined;

  constructor(message: string, next: string, { status, problemType }: ApiProblem) {
    super(message, next, { code: 'API_PROBLEM' });
    this.status = status;
    this.problemType = problemType;
  }
}

/** What a caught value says, for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
