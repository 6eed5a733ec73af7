import { createRequire } from 'node:module';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { addSource, depthOf, sendMessages, takeMessage } from './queue-fixture.ts';

const sdk = JSON.stringify(createRequire(import.meta.url).resolve('@aws-sdk/client-sqs'));

/** Sends its message to its queue again. */
const loops = `
  const { SQSClient, SendMessageCommand } = require(${sdk});
  const sqs = new SQSClient();
  exports.handler = async ({ Records: [{ body, eventSourceARN }] }) => {
    console.log('{"ran":true}');
    const QueueUrl = process.env.AWS_ENDPOINT_URL + '/000000000000/' + eventSourceARN.split(':').pop();
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
  };`;

const maxReceiveCount = 2;

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture(
    (stack) => {
      const loop = addFunction(stack, 'Loop', loops);
      const deadLetterQueue = { queue: new Queue(stack, 'DeadLetters'), maxReceiveCount };
      addSource(stack, 'Jobs', loop, {
        batchSize: 1,
        maximumBatchingWindowInSeconds: 0,
        queue: { deadLetterQueue },
      });
      loop.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: ['*'] }));
    },
    { redeliveryDelay: 0 },
  );
});
afterAll(() => fixture.close());

describe('sandbox aws: a function that sends to its own queue', () => {
  it('is stopped after 16 runs, reported, and its message moves to the dead-letter queue', async () => {
    await sendMessages(fixture, 'jobs', [{ MessageBody: 'again' }]);
    await expect.poll(() => depthOf(fixture, 'dead-letters'), { timeout: 60_000 }).toMatchObject({ visible: 1 });
    expect(await takeMessage(fixture, 'dead-letters')).toBe('again');
    const written = fixture.written('loop').map((line) => JSON.stringify(line));
    expect(written.filter((line) => line === '{"ran":true}')).toHaveLength(16);
    expect(await depthOf(fixture, 'jobs')).toEqual({ visible: 0, inFlight: 0 });
    const stops = fixture
      .written('loop')
      .filter((line) => JSON.stringify(line).includes('recursive invocation stopped'));
    expect(stops).toHaveLength(maxReceiveCount);
    const chain = expect.stringMatching(
      /^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0;Lineage=[0-9a-f]{8}:16$/,
    );
    expect(stops[0]).toMatchObject({ source: 'fixture-jobs', chain });
    expect(fixture.host.measured.ids()).toContainEqual({
      namespace: 'AWS/Lambda',
      name: 'RecursiveInvocationsDropped',
      dimensions: { FunctionName: 'fixture-loop' },
    });
  });
});
