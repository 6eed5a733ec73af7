import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';

const put = z.object({ TableName: z.string() });

/** A read of all events of a page has no table of its own. */
const isOfCheckpoints = (input: unknown) => put.safeParse(input).data?.TableName.includes('checkpoints') === true;

export type Kills = {
  readonly onAwsCall: (moment: AwsCallMoment) => void;
  /** Starts the kills. */
  readonly begin: (kill: () => void) => void;
  readonly boundaries: () => number;
  readonly middles: () => number;
};

/**
 * Kills the drain once at each boundary of its pages, alternately before and after it saves the checkpoint. Also kills it
 * once in the middle of each page: when some records of the page are in the event store, or when the page is read from there.
 */
export function createKills(): Kills {
  let kill: (() => void) | undefined;
  let [boundaries, middles] = [0, 0];
  /** Calls to the event store since the last checkpoint. */
  let eventCalls = 0;
  let saves = 0;
  let killedAt = { boundary: -1, middle: -1 };

  function onCheckpoint(when: AwsCallMoment['when']): void {
    if (when === 'after') {
      saves += 1;
      eventCalls = 0;
    }
    // A save that was killed before it took effect must succeed the next time.
    const boundary = when === 'after' ? saves - 1 : saves;
    const isTurn = (boundary % 2 === 0) === (when === 'before');
    if (!isTurn || killedAt.boundary === boundary) return;
    killedAt = { ...killedAt, boundary };
    boundaries += 1;
    kill?.();
  }

  function onEvent(operation: string): void {
    eventCalls += 1;
    if ((eventCalls < 5 && operation !== 'BatchGetItem') || killedAt.middle === saves) return;
    killedAt = { ...killedAt, middle: saves };
    middles += 1;
    kill?.();
  }

  return {
    onAwsCall: ({ when, service, operation, caller, input }) => {
      if (kill === undefined || caller !== 'drain' || service !== 'dynamodb') return;
      const isCheckpoint = isOfCheckpoints(input());
      if (isCheckpoint && operation === 'PutItem') onCheckpoint(when);
      if (!isCheckpoint && when === 'before') onEvent(operation);
    },
    begin: (killer) => {
      kill = killer;
    },
    boundaries: () => boundaries,
    middles: () => middles,
  };
}
