import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';

const put = z.object({ TableName: z.string() });

export type Kills = {
  readonly onAwsCall: (moment: AwsCallMoment) => void;
  /** From now on. */
  readonly begin: (kill: () => void) => void;
  readonly boundaries: () => number;
  readonly middles: () => number;
};

/**
 * Kills the drain once at each boundary of its pages, that is before or after it saves the checkpoint, by turns; and once
 * in the middle of each page, when some of it is in the event store.
 */
export function createKills(): Kills {
  let kill: (() => void) | undefined;
  let [boundaries, middles] = [0, 0];
  /** Since the checkpoint was saved last. */
  let eventCalls = 0;
  let saves = 0;
  let killedAt = { boundary: -1, middle: -1 };

  function onCheckpoint(when: AwsCallMoment['when']): void {
    if (when === 'after') {
      saves += 1;
      eventCalls = 0;
    }
    // What was killed before it could save must be let through the next time.
    const boundary = when === 'after' ? saves - 1 : saves;
    const isTurn = (boundary % 2 === 0) === (when === 'before');
    if (!isTurn || killedAt.boundary === boundary) return;
    killedAt = { ...killedAt, boundary };
    boundaries += 1;
    kill?.();
  }

  function onEvent(): void {
    eventCalls += 1;
    if (eventCalls < 5 || killedAt.middle === saves) return;
    killedAt = { ...killedAt, middle: saves };
    middles += 1;
    kill?.();
  }

  return {
    onAwsCall: ({ when, service, operation, caller, input }) => {
      if (kill === undefined || caller !== 'drain' || service !== 'dynamodb') return;
      const isCheckpoint = put.parse(input()).TableName.includes('checkpoints');
      if (isCheckpoint && operation === 'PutItem') onCheckpoint(when);
      if (!isCheckpoint && when === 'before') onEvent();
    },
    begin: (killer) => {
      kill = killer;
    },
    boundaries: () => boundaries,
    middles: () => middles,
  };
}
