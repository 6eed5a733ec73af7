/** What `npm run verify:deploy` needs or expects is not so. The message says what. */
export class DeploymentError extends Error {
  override readonly name = 'DeploymentError';
}

/** A program failed. The message ends with the last lines that the program printed. */
export class ProcessFailedError extends Error {
  override readonly name = 'ProcessFailedError';
  readonly stdout: string;

  constructor(message: string, { stdout, cause }: { readonly stdout: string; readonly cause: unknown }) {
    super(message, { cause });
    this.stdout = stdout;
  }
}
