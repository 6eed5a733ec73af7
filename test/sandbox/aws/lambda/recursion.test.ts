import { createRequire } from 'node:module';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { addSource, depthOf, takeMessage } from './queue-fixture.ts';

const { resolve } = createRequire(import.meta.url);
const sdk = (client: string) => `require(${JSON.stringify(resolve(`@aws-sdk/client-${client}`))})`;

/** Sends its message to its queue again. */
const loops = `
  const { SQSClient, SendMessageCommand } = ${sdk('sqs')};
  const sqs = new SQSClient();
  exports.handler = async ({ Records: [{ body, eventSourceARN }] }) => {
    console.log('{"ran":true}');
    const QueueUrl = process.env.AWS_ENDPOINT_URL + '/000000000000/' + eventSourceARN.split(':').pop();
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
  };`;

/** Publishes an event that comes back to its queue, 20 times. */
const publishes = `
  const { EventBridgeClient, PutEventsCommand } = ${sdk('eventbridge')};
  const eventBridge = new EventBridgeClient();
  exports.handler = async ({ Records: [{ body }] }) => {
    const { times } = JSON.parse(body).detail;
    console.log(JSON.stringify({ times }));
    if (times === 20) return;
    const entry = { EventBusName: process.env.BUS, Source: 'fixture', DetailType: 'Loop', Detail: JSON.stringify({ times: times + 1 }) };
    await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
  };`;

/** Invokes itself. */
const invokes = `
  const { LambdaClient, InvokeCommand } = ${sdk('lambda')};
  const lambda = new LambdaClient();
  exports.handler = async () => {
    console.log('{"ran":true}');
    await lambda
      .send(new InvokeCommand({ FunctionName: process.env.AWS_LAMBDA_FUNCTION_NAME, InvocationType: 'Event' }))
      .catch((error) => console.log(JSON.stringify({ refused: error.name })));
  };`;

const maxReceiveCount = 2;
const patient = { timeout: 60_000 };

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture(
    (stack) => {
      const mapping = { batchSize: 1, maximumBatchingWindowInSeconds: 0 };
      const loop = addFunction(stack, 'Loop', loops);
      const deadLetterQueue = { queue: new Queue(stack, 'DeadLetters'), maxReceiveCount };
      addSource(stack, 'Jobs', loop, { ...mapping, queue: { deadLetterQueue } });
      loop.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: ['*'] }));

      const bus = new EventBus(stack, 'Bus');
      const publish = addFunction(stack, 'Publish', publishes, { environment: { BUS: bus.eventBusName } });
      addSource(stack, 'Events', publish, mapping);
      bus.grantPutEventsTo(publish);
      const events = Queue.fromQueueArn(stack, 'Same', 'arn:aws:sqs:eu-central-1:000000000000:fixture-events');
      new Rule(stack, 'Back', {
        eventBus: bus,
        eventPattern: { source: ['fixture'] },
        targets: [new SqsQueue(events)],
      });

      const invoke = addFunction(stack, 'Invoke', invokes);
      invoke.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: ['*'] }));
    },
    { redeliveryDelay: 0 },
  );
});
afterAll(() => fixture.close());

const send = (queue: string, MessageBody: string) =>
  fixture.host.clients.sqs.send(new SendMessageCommand({ QueueUrl: fixture.queueUrl(queue), MessageBody }));

const runsOf = (name: string) => fixture.written(name).filter((line) => JSON.stringify(line) === '{"ran":true}');

describe('sandbox aws: a function that sends to its own queue', () => {
  it('is stopped after 16 runs, reported, and its message moves to the dead-letter queue', async () => {
    await send('jobs', 'again');
    await expect.poll(() => depthOf(fixture, 'dead-letters'), patient).toMatchObject({ visible: 1 });
    expect(await takeMessage(fixture, 'dead-letters')).toBe('again');
    expect(runsOf('loop')).toHaveLength(16);
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
