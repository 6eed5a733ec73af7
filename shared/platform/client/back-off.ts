/** An exponential back-off: the first pause, and the longest one. In milliseconds. */
export type BackOff = { readonly firstMs: number; readonly maxMs: number };

/**
 * In milliseconds: the pause of a retry, without jitter. Each pause is twice the one before.
 *
 * @param retries how many retries came before
 */
export function pauseMs({ firstMs, maxMs }: BackOff, retries: number): number {
  return Math.min(firstMs * 2 ** retries, maxMs);
}
