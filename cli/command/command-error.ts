/** A command could not be done: exit code 2. The message says why, and ends with what to try next. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  /** @param next the command to try next, or a sentence that names it */
  constructor(message: string, next: string, options?: ErrorOptions) {
    super(`${message}\nNext: ${next}`, options);
  }
}
