import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { refreshGroup, refreshInterval } from '#shared/secrets/platform-token.ts';
import type { FunctionName } from '#test/simulation/declared.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import type { Cloud } from './cloud.ts';
import type { LambdaFunction } from './lambda-function.ts';
import { maxSkewMs } from './skew.ts';

export type SchedulesDeps = {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly cloud: Cloud;
  readonly lambda: (name: FunctionName) => LambdaFunction;
  readonly newId: () => string;
  readonly isDown: (service: 'sqs') => boolean;
  /** Called after a message was sent to a queue. */
  readonly wake: () => void;
};

const minute = 60_000;

/**
 * In milliseconds. Reconcile runs more often than in the stacks, because a history would otherwise last for days. Drain and register
 * run less often, because runs that find nothing to do would take most of a history.
 */
const intervals = {
  drain: 5 * minute,
  register: 20 * minute,
  refresh: refreshInterval,
  reconcile: 15 * minute,
  wake: minute,
} as const;

/**
 * Starts the schedules of the stacks: drain, register, and the message to refresh.
 *
 * @returns `startReconciling` and `startWaking`, which start the schedules of reconcile and wake in histories that have them
 */
export function startSchedules({ scheduler, faults, random, cloud, lambda, newId, isDown, wake }: SchedulesDeps): {
  readonly startReconciling: () => void;
  readonly startWaking: () => void;
} {
  function repeat(name: keyof typeof intervals, run: () => void, isNeeded = () => true): void {
    const runOnce = () => {
      scheduler.after(intervals[name], runOnce);
      if (!isNeeded()) return;
      const late = faults.happens('schedule starts late') ? faults.draw('schedule starts late') * 2 * minute : 0;
      scheduler.after(late, run);
      if (faults.happens('schedule starts twice')) scheduler.after(faults.draw('schedule starts twice') * minute, run);
    };
    scheduler.after(random() * intervals[name], runOnce);
  }

  /** Lambda repeats no failed run. */
  const invoke = (name: FunctionName, event: unknown) => void lambda(name).invoke(event);

  repeat('drain', () => invoke('drain', {}));
  repeat('register', () => invoke('register', { mode: 'apply' }));
  repeat('refresh', () => {
    // The scheduler gives up at the next run, which sends the same.
    if (isDown('sqs')) return;
    const MessageBody = JSON.stringify({ id: newId() });
    cloud.sqs.perform(
      new SendMessageCommand({ QueueUrl: 'token-refreshes', MessageBody, MessageGroupId: refreshGroup }),
    );
    wake();
  });
  /** A run that finds nothing only costs steps. The clock of its process may be ahead. */
  const isAnyDue = () =>
    cloud.dynamodb
      .table('onboardings')
      .all()
      .some(({ dueOn }) => Date.parse(dueOn?.S ?? '') <= scheduler.now() + maxSkewMs);
  return {
    startReconciling: () => repeat('reconcile', () => invoke('reconcile', { mode: 'repair' })),
    startWaking: () => repeat('wake', () => invoke('wake', {}), isAnyDue),
  };
}
