import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';

/** Another writer has changed an item since it was read (optimistic locking). Says what the caller can do next. */
export class ConflictError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('ConflictError', message, options);
  }
}

export type RetryOnConflictOptions = {
  /** The first attempt counted. */
  readonly maxAttempts: number;
  /** Waits before a retry. `retries` says how many retries came before. No pause unless given. */
  readonly pause?: (retries: number) => Promise<void>;
};

/**
 * Reads, decides and saves again for as long as other writers come in between.
 *
 * @param attempt throws a {@link ConflictError} where the condition of its write does not hold
 * @throws {ConflictError} after the last attempt
 */
export async function retryOnConflict<Result>(
  { maxAttempts, pause }: RetryOnConflictOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ConflictError) || retries + 1 >= maxAttempts) throw error;
    }
    await pause?.(retries);
  }
}

/** What DynamoDB answers; undefined if the condition of the write does not hold. */
export async function ifConditionHolds<Output>(sent: Promise<Output>): Promise<Output | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return undefined;
    throw error;
  }
}
