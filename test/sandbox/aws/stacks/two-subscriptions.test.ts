import { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BusSubscription } from '#infra/bus-subscription.ts';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';

const writesMessages = `
  exports.handler = async ({ Records }) => {
    for (const { body } of Records) console.log(body);
  };`;

/** As `drawbridge.subscribe` does it: with one id below each queue. A function takes the messages of each. */
function subscribe(stack: Stack, name: string, detailType: string): void {
  const queue = new Queue(stack, `${name}Changes`);
  new BusSubscription(queue, 'DrawbridgeSubscription', { environment: 'trial', detailTypes: [detailType], queue });
  const consumer = addFunction(stack, `Keep${name}`, writesMessages);
  consumer.addEventSource(new SqsEventSource(queue));
}

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    new EventBus(stack, 'Bus', { eventBusName: 'drawbridge-trial' });
    const other = new Stack(stack.node.root, 'other', { description: 'has the logical ids of the first stack' });
    for (const one of [stack, other]) {
      subscribe(one, 'Orders', 'OrderStatusChanged');
      subscribe(one, 'Transfers', 'TransferStatusChanged');
    }
  });
});
afterAll(() => fixture.close());

describe('the laptop', () => {
  it('hands each event to its subscription, of two in each of two stacks', async () => {
    const entries = ['OrderStatusChanged', 'TransferStatusChanged'].map((DetailType) => ({
      Source: 'drawbridge',
      DetailType,
      Detail: '{}',
      EventBusName: 'drawbridge-trial',
    }));
    await fetch(fixture.host.place.awsOrigin, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'AWSEvents.PutEvents' },
      body: JSON.stringify({ Entries: entries }),
    });
    const changed = (noun: string) => [expect.objectContaining({ 'detail-type': `${noun}StatusChanged` })];
    for (const stack of ['fixture', 'other']) {
      await expect.poll(() => fixture.written(`${stack}-keep-orders`)).toEqual(changed('Order'));
      await expect.poll(() => fixture.written(`${stack}-keep-transfers`)).toEqual(changed('Transfer'));
    }
  });
});
