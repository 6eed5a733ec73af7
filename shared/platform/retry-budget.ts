/** Lets at most one retry go out for every ten calls, so that a platform that is down is not called much more than ever. */
export type RetryBudget = {
  readonly addCall: () => void;
  /** Whether one more retry may go out; takes it from the budget. */
  readonly take: () => boolean;
  /** A call succeeded: its connection is kept alive, and may have gone stale when it is used again. */
  readonly addConnection: () => void;
  /** Whether a call may go out again because its connection was stale; not more often than connections were kept. */
  readonly takeConnection: () => boolean;
};

/** The share of retries in calls, and the most that quiet times can save up. */
const share = 0.1;
const mostSaved = 10;

/** Connections that can go stale together. */
const mostConnections = 10;

export function createRetryBudget(): RetryBudget {
  // The very first call may be tried again, too.
  let tokens = 1 - share;
  let connections = 0;
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
    addConnection: () => {
      connections = Math.min(mostConnections, connections + 1);
    },
    takeConnection: () => {
      if (connections === 0) return false;
      connections -= 1;
      return true;
    },
  };
}
