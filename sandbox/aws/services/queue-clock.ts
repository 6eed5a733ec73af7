import type { FauxqsServer } from 'fauxqs';
import * as z from 'zod';

export type QueueClock = {
  /** How far the laptop's clock is ahead of the real one, in milliseconds. */
  readonly ahead: () => number;
  /** Moves the times of all messages by as much as the clock has moved against the real one. */
  readonly follow: () => Promise<void>;
  /** Says that no function works on these messages any longer: the others in flight stay invisible while the clock moves. */
  readonly onReleased: (receiptHandles: readonly string[]) => void;
  /** Makes the messages that functions have failed to process visible again after the seconds of their queue. */
  readonly redeliver: (secondsOf: (queueName: string) => number | undefined) => Promise<void>;
  /** Whether a function has or gets a message now, and when the next one is due. */
  readonly work: () => { readonly isIdle: boolean; readonly dueOn: Date | undefined };
};

export type QueueClockDeps = {
  readonly server: Pick<FauxqsServer, 'inspectQueue'>;
  /** Calls SQS. */
  readonly send: (operation: string, input: object) => Promise<unknown>;
  /** Of all queues, by name. */
  readonly queueNames: ReadonlySet<string>;
  /** The queues whose messages functions get. */
  readonly polled: ReadonlySet<string>;
  readonly now: () => Date;
};

/** In milliseconds: a smaller difference between the clocks is noise. */
const minMove = 10;

/** In milliseconds. A visibility timeout moves by a call, so it does not move more often. */
const minVisibilityMove = 1_000;

/** In seconds: the longest visibility timeout of SQS. */
const maxVisibility = 43_200;

/** Receipt handles of deleted messages are forgotten from time to time, so many at least. */
const minForgotten = 1_000;

const received = z.object({
  Messages: z.array(
    z.object({ ReceiptHandle: z.string(), Attributes: z.object({ SentTimestamp: z.coerce.number() }) }),
  ),
});

/**
 * Makes the queues of fauxqs follow the laptop's clock. fauxqs counts real time and keeps messages without end: so delays, visibility
 * timeouts and ages move along with the clock, and messages older than the retention of their queue are deleted.
 */
export function createQueueClock({ server, send, queueNames, polled, now }: QueueClockDeps): QueueClock {
  const aheadNow = () => now().getTime() - Date.now();
  let ahead = aheadNow();
  let aheadOfVisibility = ahead;
  /** Messages in flight that a function has failed to process, and some that are deleted. */
  let released = new Set<string>();
  let forgetAt = minForgotten;

  function inspect(name: string) {
    const { url = '', attributes = {}, messages } = server.inspectQueue(name) ?? {};
    const { ready = [], delayed = [], inflight = [] } = messages ?? {};
    const left = inflight.filter(({ receiptHandle }) => !polled.has(name) || released.has(receiptHandle));
    return { url, ready, delayed, inflight, left, retention: Number(attributes['MessageRetentionPeriod']) * 1_000 };
  }

  function moveTimes(milliseconds: number): void {
    for (const name of queueNames) {
      const { ready, delayed, inflight } = inspect(name);
      for (const message of [...ready, ...delayed, ...inflight.map((one) => one.message)]) {
        message.sentTimestamp -= milliseconds;
        if (message.delayUntil !== undefined) message.delayUntil -= milliseconds;
        if (message.approximateFirstReceiveTimestamp !== undefined)
          message.approximateFirstReceiveTimestamp -= milliseconds;
      }
    }
  }

  async function moveVisibility(milliseconds: number): Promise<void> {
    for (const name of queueNames) {
      const { url: QueueUrl, left, inflight } = inspect(name);
      // While the clock is frozen for a function, the time of its messages is frozen, too.
      for (const { receiptHandle: ReceiptHandle, visibilityDeadline } of milliseconds < 0 ? inflight : left) {
        const seconds = (visibilityDeadline - Date.now() - milliseconds) / 1_000;
        const VisibilityTimeout = Math.min(Math.max(seconds, 0), maxVisibility);
        await send('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout });
      }
    }
  }

  /** Functions get the messages of the other queues long before. */
  async function deleteExpired(name: string): Promise<void> {
    const { url: QueueUrl, retention } = inspect(name);
    const isExpired = (sentOn: number) => sentOn + retention <= Date.now();
    while (inspect(name).ready.some(({ sentTimestamp }) => isExpired(sentTimestamp))) {
      const request = { QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['SentTimestamp'] };
      const { data } = received.safeParse(await send('ReceiveMessage', request));
      const expired = data?.Messages.filter(({ Attributes }) => isExpired(Attributes.SentTimestamp)) ?? [];
      for (const { ReceiptHandle } of data?.Messages ?? [])
        if (expired.some((one) => one.ReceiptHandle === ReceiptHandle))
          await send('DeleteMessage', { QueueUrl, ReceiptHandle });
        else await send('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
      if (expired.length === 0) return;
    }
  }

  async function follow(): Promise<void> {
    const moved = aheadNow() - ahead;
    if (Math.abs(moved) < minMove) return;
    ahead += moved;
    moveTimes(moved);
    const movedVisibility = ahead - aheadOfVisibility;
    if (Math.abs(movedVisibility) < minVisibilityMove) return;
    aheadOfVisibility = ahead;
    await moveVisibility(movedVisibility);
    for (const name of queueNames) if (!polled.has(name)) await deleteExpired(name);
  }

  let following: Promise<void> = Promise.resolve();

  return {
    ahead: () => ahead,
    // One call after the other: until the messages that another call moves are moved, those that are due do not appear as due.
    follow: () => {
      following = following.catch(() => undefined).then(follow);
      return following;
    },
    onReleased: (receiptHandles) => {
      for (const receiptHandle of receiptHandles) released.add(receiptHandle);
      if (released.size < forgetAt) return;
      released = new Set([...polled].flatMap((name) => inspect(name).left.map(({ receiptHandle }) => receiptHandle)));
      forgetAt = released.size + minForgotten;
    },
    redeliver: async (secondsOf) => {
      for (const name of polled) {
        const VisibilityTimeout = secondsOf(name);
        if (VisibilityTimeout === undefined) continue;
        const { url: QueueUrl, left } = inspect(name);
        for (const { receiptHandle: ReceiptHandle } of left)
          await send('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout });
      }
    },
    work: () => {
      const queues = [...polled].map(inspect);
      const dueTimes = queues.flatMap(({ delayed, left }) => [
        ...delayed.map(({ delayUntil = 0 }) => delayUntil + ahead),
        ...left.map(({ visibilityDeadline }) => visibilityDeadline + aheadOfVisibility),
      ]);
      const time = now().getTime();
      const isBusy = queues.some(({ ready, inflight, left }) => {
        // In a FIFO queue, a message in flight holds back the others of its group.
        const heldBack = new Set(left.map(({ message }) => message.messageGroupId));
        const next = ready.find(({ messageGroupId: group }) => group === undefined || !heldBack.has(group));
        return next !== undefined || inflight.length > left.length;
      });
      const dueOn = dueTimes.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
      return { isIdle: !isBusy && dueOn > time, dueOn: Number.isFinite(dueOn) ? new Date(dueOn) : undefined };
    },
  };
}
