import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createQueueClock, type QueueClockDeps } from '#sandbox/aws/services/queue-clock.ts';

const minute = 60_000;
const visibility = z.object({ VisibilityTimeout: z.number() });

/** A queue with one message in flight, which becomes visible in seven minutes of its clock. */
function createQueue() {
  const message = { messageId: 'm', sentTimestamp: Date.now(), approximateReceiveCount: 1 };
  const inflight = [{ receiptHandle: 'r', visibilityDeadline: Date.now() + 7 * minute, message }];
  let ahead = 0;
  let answered: Promise<void> = Promise.resolve();
  const inspected = { url: 'u', attributes: {}, messages: { ready: [], delayed: [], inflight } };
  const clock = createQueueClock({
    server: { inspectQueue: () => inspected } as unknown as QueueClockDeps['server'],
    send: async (_, input) => {
      await answered;
      const deadline = Date.now() + visibility.parse(input).VisibilityTimeout * 1_000;
      for (const one of inflight) one.visibilityDeadline = deadline;
    },
    queueNames: new Set(['q']),
    polled: new Set(['q']),
    now: () => new Date(Date.now() + ahead),
  });
  return {
    clock,
    move: (milliseconds: number) => {
      ahead += milliseconds;
    },
    answerAfter: (until: Promise<void>) => {
      answered = until;
    },
  };
}

describe('sandbox aws: the clock of the queues', () => {
  it('has moved each message when it has followed, although another call began to move them', async () => {
    const { clock, move, answerAfter } = createQueue();
    clock.onReleased(['r']);
    const answered = Promise.withResolvers<void>();
    answerAfter(answered.promise);
    move(7 * minute);
    // As the timer does that compares the clocks.
    const first = clock.follow();
    const second = clock.follow().then(() => clock.work());
    await new Promise((resolve) => setImmediate(resolve));
    answered.resolve();
    expect((await second).isIdle).toBe(false);
    await first;
  });

  it('makes a message visible when its time is over by a clock that stood still while a function had it', async () => {
    const { clock, move } = createQueue();
    const due = Date.now() + 7 * minute;
    move(-20_000);
    await clock.follow();
    clock.onReleased(['r']);
    expect(Math.abs((clock.work().dueOn?.getTime() ?? 0) - due)).toBeLessThan(5_000);
  });
});
