export type ThrottleSettings = {
  /** Requests a second. */
  readonly rate: number;
  /** The number of concurrent requests. */
  readonly burst: number;
};

/** A token bucket, as API Gateway throttles a route. Gives whether a request at this time, in milliseconds, may pass. */
export function createThrottle({ rate, burst }: ThrottleSettings): (time: number) => boolean {
  let tokens = burst;
  let filledAt = 0;
  return (time) => {
    tokens = Math.min(burst, tokens + ((time - filledAt) / 1000) * rate);
    filledAt = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
