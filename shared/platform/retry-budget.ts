/** Lets at most one retry go out for every ten calls, so that a platform that is down is not called much more than ever. */
export type RetryBudget = {
  readonly addCall: () => void;
  /** Whether one more retry may go out; takes it from the budget. */
  readonly take: () => boolean;
};

/** The share of retries in calls, and the most that quiet times can save up. */
const share = 0.1;
const mostSaved = 10;

export function createRetryBudget(): RetryBudget {
  // The very first call may be tried again, too.
  let tokens = 1 - share;
  return {
    addCall: () => {
      tokens = Math.min(mostSaved, tokens + share);
    },
    take: () => {
      // Ten times a tenth is a little less than one.
      if (tokens < 1 - Number.EPSILON * mostSaved) return false;
      tokens -= 1;
      return true;
    },
  };
}
