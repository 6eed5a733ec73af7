import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { size } from '#test/full-size.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { startHttpEmulators } from '#test/shared/aws/http-emulators.ts';
import type { Command } from './commands.ts';
import { type Answer, ask, perform } from './same-answers.ts';
import { createSqs, type Sqs } from './sqs.ts';
import type { QueueProperties } from './sqs-queue.ts';

let emulators: Emulators;
let created = 0;
beforeAll(async () => {
  emulators = await startHttpEmulators();
});
afterAll(() => emulators.close());

const maxReceiveCount = 3;

type Step =
  | { readonly act: 'send'; readonly bodies: readonly string[] }
  | { readonly act: 'receive'; readonly most: number }
  /** Of what was received, the newest first. */
  | { readonly act: 'delete' | 'return'; readonly index: number }
  | { readonly act: 'receive all'; readonly queue: 'source' | 'dlq' };

const body = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ act: fc.constant('send' as const), bodies: fc.array(body, { minLength: 1, maxLength: 4 }) }),
  fc.record({ act: fc.constant('receive' as const), most: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ act: fc.constantFrom('delete' as const, 'return' as const), index: fc.integer({ min: 0, max: 3 }) }),
);

/** A side of the comparison: where its queues are, and what asks it. */
type Side = {
  readonly source: string;
  readonly dlq: string;
  readonly ask: (command: Command) => Promise<Answer>;
};

/** The answer to each step: bodies and receive counts of messages, or the names of errors. */
async function play({ source, dlq, ask: send }: Side, isFifo: boolean, steps: readonly Step[]): Promise<unknown[]> {
  const receipts: (string | undefined)[] = [];
  const group = isFifo ? { MessageGroupId: 'group' } : {};

  async function receive(QueueUrl: string, MaxNumberOfMessages: number): Promise<unknown> {
    const answer = await send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages, MessageSystemAttributeNames: ['All'] }),
    );
    if ('error' in answer) return answer;
    const { Messages = [] }: ReceiveOutput = answer.output;
    receipts.unshift(...Messages.map(({ ReceiptHandle }) => ReceiptHandle));
    return Messages.map(({ Body, Attributes }) => `${Body} ${Attributes?.['ApproximateReceiveCount']}`);
  }

  async function sendBodies(bodies: readonly string[]): Promise<unknown> {
    const [MessageBody] = bodies;
    const QueueUrl = source;
    if (bodies.length === 1) return isError(await send(new SendMessageCommand({ QueueUrl, MessageBody, ...group })));
    const Entries = bodies.map((text, index) => ({ Id: String(index), MessageBody: text, ...group }));
    const answer = await send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if ('error' in answer) return answer;
    const { Successful = [] }: BatchOutput = answer.output;
    return Successful.map(({ Id }) => Id);
  }

  const answers: unknown[] = [];
  for (const one of steps) {
    const receipt = 'index' in one ? receipts[one.index] : undefined;
    if (one.act === 'send') answers.push(await sendBodies(one.bodies));
    // Of a group fauxqs hands out one message at a time, where SQS may hand out several.
    else if (one.act === 'receive') answers.push(await receive(source, isFifo ? 1 : one.most));
    else if (one.act === 'receive all')
      answers.push(await receive(one.queue === 'dlq' ? dlq : source, isFifo ? 1 : 10));
    else if (receipt === undefined) answers.push('nothing');
    else if (one.act === 'delete')
      answers.push(isError(await send(new DeleteMessageCommand({ QueueUrl: source, ReceiptHandle: receipt }))));
    else {
      const back = { QueueUrl: source, ReceiptHandle: receipt, VisibilityTimeout: 0 };
      // The response to an expired receipt differs between services. The received messages show that nothing happened.
      await send(new ChangeMessageVisibilityCommand(back));
      receipts.splice(one.index, 1);
      answers.push('returned');
    }
  }
  return answers;
}

type ReceiveOutput = {
  readonly Messages?: readonly {
    readonly Body?: string;
    readonly ReceiptHandle?: string;
    readonly Attributes?: Readonly<Record<string, string>>;
  }[];
};

type BatchOutput = { readonly Successful?: readonly { readonly Id?: string }[] };

/** The name of an error without the prefix that fauxqs gives to some. */
function isError(answer: Answer): unknown {
  return 'error' in answer ? answer.error.replace('AWS.SimpleQueueService.', '') : 'done';
}

async function emulated(sqs: SQSClient, isFifo: boolean): Promise<Side> {
  created += 1;
  const ending = isFifo ? '.fifo' : '';
  const fifo = isFifo ? { FifoQueue: 'true', ContentBasedDeduplication: 'true' } : {};
  const dlq = await create(sqs, `dlq-${created}${ending}`, fifo);
  const arn = `arn:aws:sqs:eu-central-1:000000000000:dlq-${created}${ending}`;
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount });
  const source = await create(sqs, `source-${created}${ending}`, { ...fifo, RedrivePolicy });
  return { source, dlq, ask: (command) => ask(sqs, command) };
}

async function create(sqs: SQSClient, QueueName: string, Attributes: Record<string, string>): Promise<string> {
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  return QueueUrl;
}

function simulated(isFifo: boolean): Side {
  const { perform: service } = simulate({
    source: { visibilityTimeout: 30, isFifo, redrive: { deadLetterQueue: 'dlq', maxReceiveCount } },
    dlq: { visibilityTimeout: 30, isFifo },
  });
  return { source: 'source', dlq: 'dlq', ask: async (command) => perform(service, command) };
}

let time = 0;

function simulate(queues: Readonly<Record<string, QueueProperties>>): Sqs {
  let ids = 0;
  return createSqs(queues, { now: () => time, newId: () => String(ids++), choose: () => 0 });
}

describe('the simulated SQS beside fauxqs', { timeout: 300_000 }, () => {
  it.each([
    ['a standard queue', false],
    ['a FIFO queue', true],
  ])('answers like fauxqs for %s with a dead-letter queue', async (_, isFifo) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 28 }), async (steps) => {
        const all: Step[] = [...steps, { act: 'receive all', queue: 'source' }, { act: 'receive all', queue: 'dlq' }];
        const expected = await play(await emulated(emulators.sqs, isFifo), isFifo, all);
        expect(await play(simulated(isFifo), isFifo, all)).toEqual(expected);
      }),
      { numRuns: size(25, 100) },
    );
  });

  it('answers like fauxqs to an unknown queue and to invalid messages', async () => {
    const side = await emulated(emulators.sqs, true);
    const ours = simulated(true);
    const entry = { Id: '1', MessageBody: 'a', MessageGroupId: 'group' };
    const commands = (QueueUrl: string) => [
      new SendMessageCommand({ QueueUrl: 'http://localhost/000000000000/nowhere', MessageBody: 'a' }),
      new SendMessageCommand({ QueueUrl, MessageBody: 'a' }),
      ...['\uffff', '\u0000', 'x'.repeat(1024 * 1024 + 1)].map(
        (MessageBody) => new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'group' }),
      ),
      new SendMessageBatchCommand({ QueueUrl, Entries: [] }),
      new SendMessageBatchCommand({ QueueUrl, Entries: [entry, entry] }),
      new SendMessageBatchCommand({
        QueueUrl,
        Entries: Array.from({ length: 11 }, (_, index) => ({ ...entry, Id: String(index) })),
      }),
    ];
    const answersOf = async ({ source, ask: send }: Side) =>
      Promise.all(commands(source).map(async (command) => isError(await send(command))));
    expect(await answersOf(ours)).toEqual(await answersOf(side));
  });
});

describe('the simulated SQS on virtual time', () => {
  const message = (QueueUrl: string, more = {}) => new SendMessageCommand({ QueueUrl, MessageBody: 'a', ...more });
  const received = ({ perform: service }: Sqs, QueueUrl: string) => {
    const { Messages = [] }: ReceiveOutput = service(new ReceiveMessageCommand({ QueueUrl }));
    return Messages.length;
  };

  it('applies visibility timeouts and delays', () => {
    const sqs = simulate({ queue: { visibilityTimeout: 30 } });
    sqs.perform(message('queue', { DelaySeconds: 10 }));
    const counts = [0, 9, 1, 29, 1].map((seconds) => {
      time += seconds * 1_000;
      return received(sqs, 'queue');
    });
    expect(counts).toEqual([0, 0, 1, 0, 1]);
  });

  it('returns the time at which the next message becomes visible', () => {
    const sqs = simulate({ queue: { visibilityTimeout: 30 } });
    const queue = sqs.queue('queue');
    const before = queue.nextAt();
    sqs.perform(message('queue'));
    const sent = queue.nextAt();
    received(sqs, 'queue');
    expect([before, sent, queue.nextAt()]).toEqual([undefined, time, time + 30_000]);
  });

  it('deduplicates equal messages of a FIFO queue for five minutes', () => {
    const sqs = simulate({ queue: { visibilityTimeout: 0, isFifo: true } });
    const sizes = [0, 299, 1].map((seconds) => {
      time += seconds * 1_000;
      sqs.perform(message('queue', { MessageGroupId: 'group' }));
      return sqs.queue('queue').all().length;
    });
    expect(sizes).toEqual([1, 1, 2]);
  });
});
