import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { addSource, depthOf, sendMessages, takeMessage } from './queue-fixture.ts';

/** Does what its messages wish for, at their first deliveries. Writes which came together, and for the how manieth time. */
const obedient = `
  exports.handler = async ({ Records }) => {
    const messages = Records.map(({ messageId, body, attributes }) =>
      ({ messageId, times: 1, ...JSON.parse(body), count: Number(attributes.ApproximateReceiveCount) }));
    console.log(JSON.stringify({ batch: messages.map(({ id, count }) => ({ id, count })) }));
    const wishful = messages.filter(({ count, times }) => count <= times);
    const wishes = wishful.map(({ wish }) => wish);
    if (wishes.includes('throw')) throw new Error('as you wish');
    if (wishes.includes('exit')) process.exit(1);
    const failed = wishful.filter(({ wish }) => wish === 'fail');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };`;

/** Writes when a message begins and when it ends. Fails at the first delivery of one that says so. */
const spans = `
  exports.handler = async ({ Records: [{ body, attributes }] }) => {
    console.log(JSON.stringify({ begin: body }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log(JSON.stringify({ end: body }));
    if (body.startsWith('fail') && attributes.ApproximateReceiveCount === '1') throw new Error('as you wish');
  };`;

const reportsFailures = { functionResponseTypes: ['ReportBatchItemFailures'] };

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture(
    (stack) => {
      const obey = addFunction(stack, 'Obey', obedient);
      const deadLetters = new Queue(stack, 'DeadLetters');
      const queue = { deadLetterQueue: { queue: deadLetters, maxReceiveCount: 3 } };
      addSource(stack, 'Reporting', obey, { ...reportsFailures, queue });
      addSource(stack, 'Ordered', addFunction(stack, 'Span', spans), {
        batchSize: 1,
        maximumBatchingWindowInSeconds: 0,
        scalingConfig: { maximumConcurrency: 2 },
        queue: { fifo: true, contentBasedDeduplication: true },
      });
    },
    { redeliveryDelay: 0 },
  );
});
afterAll(() => fixture.close());

type Wish = {
  readonly id: string;
  readonly wish?: 'fail' | 'throw' | 'exit';
  /** At so many deliveries; after that, it is done. */
  readonly times?: number;
};

const batchLine = z.object({ batch: z.array(z.object({ id: z.string(), count: z.number() })) });

/** Sends messages together, waits until none is left, and tells how often each was delivered. */
async function deliver(queue: string, wishes: readonly Wish[]): Promise<Record<string, number>> {
  await sendMessages(
    fixture,
    queue,
    wishes.map((wish) => ({ MessageBody: JSON.stringify(wish) })),
  );
  await expect.poll(() => depthOf(fixture, queue), { timeout: 30_000 }).toEqual({ visible: 0, inFlight: 0 });
  const deliveries = batches().flat();
  return Object.fromEntries(wishes.map(({ id }) => [id, deliveries.filter((delivery) => delivery.id === id).length]));
}

function batches(): readonly z.infer<typeof batchLine>['batch'][] {
  return fixture.written('obey').map((line) => batchLine.safeParse(line).data?.batch ?? []);
}

describe('sandbox aws: a queue with an event source mapping', () => {
  it('invokes the function with batches of at most the configured size', async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `batched-${index}`);
    expect(
      await deliver(
        'reporting',
        ids.map((id) => ({ id })),
      ),
    ).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
    const sizes = batches()
      .filter((batch) => batch.some(({ id }) => ids.includes(id)))
      .map(({ length }) => length);
    expect(Math.max(...sizes)).toBe(3);
  });
});

describe('sandbox aws: a function that reports batch item failures', () => {
  it.each(['throw', 'exit'] as const)('receives the whole batch again when it fails: %s', async (wish) => {
    expect(await deliver('reporting', [{ id: `a ${wish}`, wish }, { id: `b ${wish}` }, { id: `c ${wish}` }])).toEqual({
      [`a ${wish}`]: 2,
      [`b ${wish}`]: 2,
      [`c ${wish}`]: 2,
    });
  });
});

describe('sandbox aws: a message that keeps failing', () => {
  it('moves to the dead-letter queue after maxReceiveCount deliveries, without its neighbors', async () => {
    const poison: Wish = { id: 'poison', wish: 'fail', times: 99 };
    expect(await deliver('reporting', [poison, { id: 'neighbour' }])).toEqual({ poison: 3, neighbour: 1 });
    expect(await takeMessage(fixture, 'dead-letters')).toBe(JSON.stringify(poison));
  });
});

describe('sandbox aws: a message group of a FIFO queue', () => {
  const isSpan = z.union([z.object({ begin: z.string() }), z.object({ end: z.string() })]);

  it('is processed in order even when a message fails, and once for equal texts', async () => {
    const texts = ['one', 'fail two', 'three', 'one', 'four'];
    for (const MessageBody of texts) await sendMessages(fixture, 'ordered', [{ MessageBody, MessageGroupId: 'group' }]);
    const span = (text: string) => [{ begin: text }, { end: text }];
    await expect
      .poll(() => fixture.written('span').filter((line) => isSpan.safeParse(line).success), { timeout: 20_000 })
      .toEqual(['one', 'fail two', 'fail two', 'three', 'four'].flatMap(span));
    await expect.poll(() => depthOf(fixture, 'ordered')).toEqual({ visible: 0, inFlight: 0 });
  });
});

describe('sandbox aws: a mapping of an unknown queue or function', () => {
  it('is rejected by its name', async () => {
    const starting = startFixture((stack) => {
      addSource(stack, 'Orders', addFunction(stack, 'Obey', obedient), { eventSourceArn: 'arn:aws:sqs:elsewhere' });
    });
    await expect(starting).rejects.toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    await expect(starting).rejects.toThrow('fixture/OrdersMapping');
  });
});
