import { describe, expect, it } from 'vitest';
import { ConflictError, retryOnConflict } from '#shared/aws/dynamodb.ts';

/** An attempt that meets so many conflicts, then succeeds. */
function attemptAfter(conflicts: number) {
  let attempts = 0;
  return {
    attempt: async () => {
      attempts += 1;
      if (attempts <= conflicts) throw new ConflictError('Another writer was faster.');
      return attempts;
    },
    attempts: () => attempts,
  };
}

describe('retryOnConflict', () => {
  it('makes a new attempt after each conflict, up to the last attempt', async () => {
    expect(await retryOnConflict({ maxAttempts: 3 }, attemptAfter(0).attempt)).toBe(1);
    expect(await retryOnConflict({ maxAttempts: 3 }, attemptAfter(2).attempt)).toBe(3);
  });

  it('throws the conflict of the last attempt', async () => {
    const { attempt, attempts } = attemptAfter(3);
    await expect(retryOnConflict({ maxAttempts: 3 }, attempt)).rejects.toThrow(ConflictError);
    expect(attempts()).toBe(3);
  });

  it('pauses before each retry, and not after the last attempt', async () => {
    const pauses: number[] = [];
    const pause = async (retries: number) => void pauses.push(retries);
    await expect(retryOnConflict({ maxAttempts: 3, pause }, attemptAfter(3).attempt)).rejects.toThrow();
    expect(pauses).toEqual([0, 1]);
  });

  it('throws any other error immediately', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      throw new TypeError('broken');
    };
    await expect(retryOnConflict({ maxAttempts: 3 }, attempt)).rejects.toThrow(TypeError);
    expect(attempts).toBe(1);
  });
});
