import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { EventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { depthOf, takeMessage } from '#test/sandbox/aws/lambda/queue-fixture.ts';

const writesEvent = 'exports.handler = async (event) => console.log(JSON.stringify(event));';

/** Publishes to the bus whose rule calls this very function, as often as requested, and logs the answers. */
const chained = `
  exports.handler = async ({ detail: { left } }) => {
    console.log(JSON.stringify({ left }));
    if (left === 0) return;
    const Entries = [{ Source: 'chain', DetailType: 'Link', Detail: JSON.stringify({ left: left - 1 }), EventBusName: process.env.BUS }];
    const headers = { 'x-amz-target': 'AWSEvents.PutEvents' };
    await fetch(process.env.AWS_ENDPOINT_URL, { method: 'POST', headers, body: JSON.stringify({ Entries }) });
  };`;

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const eventBus = new EventBus(stack, 'Partners', { eventBusName: 'fixture-partners' });
    const orders = new Queue(stack, 'Orders');
    const others = new Queue(stack, 'Others');
    const failed = new Queue(stack, 'Failed');
    const listener = addFunction(stack, 'Listener', writesEvent);
    const chain = addFunction(stack, 'Chain', chained, {
      environment: { BUS: eventBus.eventBusName },
      reservedConcurrentExecutions: 1,
    });
    const rule = (id: string, detailType: string) =>
      new Rule(stack, id, { eventBus, eventPattern: { detailType: [detailType], source: ['drawbridge', 'chain'] } });

    rule('OrderRule', 'OrderChanged').addTarget(new SqsQueue(orders));
    const both = rule('BothRule', 'PersonChanged');
    both.addTarget(new LambdaFunction(listener));
    both.addTarget(new SqsQueue(others, { message: RuleTargetInput.fromObject({ said: 'changed' }) }));
    rule('UntakenRule', 'Untaken').addTarget(
      new SqsQueue(new Queue(stack, 'Gone'), { retryAttempts: 1, deadLetterQueue: failed }),
    );
    rule('ChainRule', 'Link').addTarget(new LambdaFunction(chain));
    const disabled = { eventBus, enabled: false, eventPattern: { source: ['drawbridge'] } };
    new Rule(stack, 'DisabledRule', { ...disabled, targets: [new SqsQueue(others)] });
    const deployed = new Queue(stack, 'Deployed');
    const onStatus = (id: string, stackId: string) =>
      new Rule(stack, id, {
        eventPattern: { source: ['aws.cloudformation'], detail: { 'stack-id': [stackId] } },
        targets: [new SqsQueue(deployed)],
      });
    onStatus('DeployedRule', stack.stackId);
    onStatus('OtherDeployedRule', `${stack.stackId}-other`);
    new Rule(stack, 'DefaultBusRule', { eventPattern: { source: ['drawbridge'] }, targets: [new SqsQueue(others)] });
  });
});
afterAll(() => fixture.close());

async function putEntries(entries: readonly unknown[]): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(fixture.host.place.awsOrigin, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
    body: JSON.stringify({ Entries: entries }),
  });
  return { status: answer.status, body: await answer.json() };
}

const entry = (DetailType: string, more: object = {}) => ({
  Source: 'drawbridge',
  DetailType,
  Detail: '{"version":3}',
  EventBusName: 'fixture-partners',
  ...more,
});

describe('sandbox aws: an event on an EventBridge bus', () => {
  it('reaches a queue in the envelope of EventBridge', async () => {
    const time = Date.UTC(2026, 10, 21, 8) / 1000;
    const { status, body } = await putEntries([entry('OrderChanged', { Time: time, Resources: ['order/7'] })]);
    expect(status).toBe(200);
    expect(body).toEqual({ FailedEntryCount: 0, Entries: [{ EventId: expect.any(String) }] });
    const [{ EventId }] = z.object({ Entries: z.tuple([z.object({ EventId: z.string() })]) }).parse(body).Entries;
    expect(JSON.parse((await takeMessage(fixture, 'orders')) ?? '')).toEqual({
      version: '0',
      id: EventId,
      'detail-type': 'OrderChanged',
      source: 'drawbridge',
      account: '000000000000',
      time: '2026-11-21T08:00:00Z',
      region: 'eu-central-1',
      resources: ['order/7'],
      detail: { version: 3 },
    });
  });

  it('reaches all targets of the rule, each with its own input', async () => {
    await putEntries([entry('PersonChanged')]);
    const received = expect.objectContaining({ 'detail-type': 'PersonChanged', detail: { version: 3 } });
    await expect.poll(() => fixture.written('listener'), { timeout: 20_000 }).toContainEqual(received);
    expect(await takeMessage(fixture, 'others')).toBe('{"said":"changed"}');
  });

  it('moves to the dead-letter queue of a target that does not take the event', async () => {
    await fixture.host.clients.sqs.send(new DeleteQueueCommand({ QueueUrl: fixture.queueUrl('gone') }));
    await putEntries([entry('Untaken')]);
    expect(await takeMessage(fixture, 'failed')).toContain('"detail-type":"Untaken"');
  });
});

describe('sandbox aws: a caller of PutEvents', () => {
  it('is refused with entries of more than 1 MiB together', async () => {
    const large = (bytes: number) => entry('Large', { Detail: JSON.stringify('x'.repeat(bytes)) });
    expect(await putEntries([large(500_000), large(500_000)])).toMatchObject({ status: 200 });
    expect(await putEntries([large(500_000), large(550_000)])).toMatchObject({
      status: 400,
      body: { __type: 'ValidationException' },
    });
  });

  it('does not wait for the targets, which may include itself', async () => {
    await putEntries([entry('Link', { Source: 'chain', Detail: '{"left":2}' })]);
    await expect
      .poll(() => fixture.written('chain'), { timeout: 20_000 })
      .toEqual([{ left: 2 }, { left: 1 }, { left: 0 }]);
  });
});

describe('sandbox aws: the CloudFormation event after a deployment', () => {
  it('reaches the rules for this stack, once per announcement', async () => {
    fixture.host.announceDeployment();
    expect(JSON.parse((await takeMessage(fixture, 'deployed')) ?? '')).toMatchObject({
      'detail-type': 'CloudFormation Stack Status Change',
      source: 'aws.cloudformation',
      account: '000000000000',
      resources: ['arn:aws:cloudformation:eu-central-1:000000000000:stack/fixture/sandbox'],
      detail: {
        'stack-id': 'arn:aws:cloudformation:eu-central-1:000000000000:stack/fixture/sandbox',
        'status-details': { status: 'CREATE_COMPLETE' },
      },
    });
    fixture.host.announceDeployment();
    expect(await takeMessage(fixture, 'deployed')).toContain('CREATE_COMPLETE');
    expect(await depthOf(fixture, 'deployed')).toEqual({ visible: 0, inFlight: 0 });
  });
});
