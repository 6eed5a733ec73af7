import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AwsCall } from '#sandbox/aws/services/aws-service.ts';
import { createQueueClock, type QueueClockDeps } from '#sandbox/aws/services/queue-clock.ts';
import { startSqs } from '#sandbox/aws/services/sqs.ts';

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

describe('sandbox aws: a FIFO queue', () => {
  const QueueUrl = 'http://localhost/000000000000/q.fifo';
  const attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true', VisibilityTimeout: '30' };
  const answer = z.looseObject({
    MessageId: z.string().optional(),
    Messages: z.array(z.looseObject({ ReceiptHandle: z.string() })).optional(),
  });

  let ahead: number;
  let sqs: Awaited<ReturnType<typeof startSqs>>;
  beforeEach(async () => {
    ahead = 0;
    sqs = await startSqs({ region: 'r', polled: new Set(), now: () => new Date(Date.now() + ahead) });
    await call('CreateQueue', { QueueName: 'q.fifo', Attributes: attributes });
  });
  afterEach(() => sqs.close());

  async function call(operation: string, given: object) {
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${operation}` };
    const input = { QueueUrl, ...given };
    const body = Buffer.from(JSON.stringify(input));
    const sent: AwsCall = { operation, caller: undefined, headers, body, input: () => input };
    const text = String(Buffer.from((await sqs.handle(sent)).body));
    return answer.parse(text === '' ? {} : JSON.parse(text));
  }

  async function take() {
    const asked = { MessageSystemAttributeNames: ['MessageDeduplicationId'] };
    const { Messages: [message] = [] } = await call('ReceiveMessage', asked);
    if (message !== undefined) await call('DeleteMessage', { ReceiptHandle: message.ReceiptHandle });
    return message;
  }

  it.each([
    ['its body', {}, expect.stringMatching(/^[0-9a-f]{64}$/)],
    ['an id', { MessageDeduplicationId: 'report~1' }, 'report~1'],
  ])('drops a message for five minutes of its clock, by %s', async (_, id, MessageDeduplicationId) => {
    const message = { MessageBody: 'report', MessageGroupId: 'g', ...id };
    const { MessageId } = await call('SendMessage', message);
    expect(await take()).toMatchObject({ MessageId, Attributes: { MessageDeduplicationId } });
    ahead += 4 * minute;
    expect(await call('SendMessage', message)).toMatchObject({ MessageId });
    expect(await take()).toBeUndefined();
    ahead += minute;
    await call('SendMessage', message);
    expect(await take()).toMatchObject({ Body: 'report' });
  });

  it('counts a message that failed in the age of its oldest message', async () => {
    await call('SendMessage', { MessageBody: 'failing', MessageGroupId: 'g' });
    for (let received = 0; received < 3; received += 1) {
      const { Messages: [message] = [] } = await call('ReceiveMessage', {});
      await call('ChangeMessageVisibility', { ReceiptHandle: message?.ReceiptHandle, VisibilityTimeout: 0 });
    }
    ahead += 60 * minute;
    await sqs.clock.follow();
    expect(sqs.oldestMessageAge('q.fifo')).toBeGreaterThanOrEqual(3_600);
  });
});
