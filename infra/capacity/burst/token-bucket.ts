/** What a quota allows: `rate` a second, and `burst` together after a pause. */
export type Allowance = { readonly rate: number; readonly burst: number };

/** An allowance that is used over time. Times are in milliseconds, and never go back. */
export type TokenBucket = {
  /** Takes what there is, `count` at most. @returns how much was taken */
  readonly take: (at: number, count: number) => number;
  /** Takes `count`, which must be at most `burst`. @returns the milliseconds until the allowance has them */
  readonly reserve: (at: number, count: number) => number;
};

/** A bucket that is full at 0. */
export function createTokenBucket({ rate, burst }: Allowance): TokenBucket {
  let tokens = burst;
  let filledAt = 0;
  const fill = (at: number) => {
    tokens = Math.min(burst, tokens + ((at - filledAt) * rate) / 1_000);
    filledAt = at;
  };
  return {
    take(at, count) {
      fill(at);
      const taken = Math.max(0, Math.min(count, Math.floor(tokens)));
      tokens -= taken;
      return taken;
    },
    reserve(at, count) {
      fill(at);
      tokens -= count;
      return tokens >= 0 ? 0 : (-tokens * 1_000) / rate;
    },
  };
}
