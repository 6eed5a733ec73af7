import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import type { Cloud } from './cloud.ts';

export type RequestRuleDeps = {
  readonly scheduler: Scheduler;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly cloud: Pick<Cloud, 'sqs'>;
  readonly isDown: (service: 'sqs') => boolean;
  readonly trace: (who: string, what: string) => void;
  /** Called after a message was sent to a queue. */
  readonly wake: () => void;
};

/** In milliseconds: the maximum delay until EventBridge hands over an event, and between two tries. */
const maxDelayMs = 2_000;
const maxPauseMs = 10 * 60_000;

/** The rule of the bus for `OnboardingRequested`. EventBridge tries for 24 hours, which is longer than any outage of a history. */
export function createRequestRule({ scheduler, random, cloud, isDown, trace, wake }: RequestRuleDeps) {
  function handOver(body: string, pause: number): void {
    if (isDown('sqs')) {
      trace('rule', 'cannot send a request to the queue');
      scheduler.after(pause, () => handOver(body, Math.min(2 * pause, maxPauseMs)));
      return;
    }
    cloud.sqs.queue('requests').send(body, {});
    trace('rule', 'sends a request to the queue');
    wake();
  }

  /** Takes an event that is on the bus. */
  return (event: object): void => {
    scheduler.after(random() * maxDelayMs, () => handOver(JSON.stringify(event), 1_000));
  };
}
