/** What the sandbox cannot do, for a caller that handles one of the reasons. */
export type SandboxErrorCode =
  /** The API of Drawbridge kept failing, in a way that a scenario cannot resolve. */
  | 'API_FAILED'
  | 'BLOCKED_PORT'
  | 'DIRECTORY_LOCKED'
  | 'NODE_VERSION'
  | 'NOT_HOSTED'
  | 'NOT_JOINED'
  | 'NOT_SYNTHESIZED'
  | 'PORT_TAKEN';

/** The sandbox cannot start or go on. The message says what to do, so that no stack trace is needed. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
