import { Duration } from 'aws-cdk-lib';
import { afterEach, describe, expect, it } from 'vitest';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { addSource, depthOf, sendMessages } from './queue-fixture.ts';

/** Fails each message at its first delivery. */
const failsFirst = `
  exports.handler = async ({ Records: [{ attributes }] }) => {
    console.log(attributes.ApproximateReceiveCount);
    if (attributes.ApproximateReceiveCount === '1') throw new Error('the first time');
  };`;

const patient = { timeout: 30_000 };

let fixture: FixtureHost;
afterEach(() => fixture.close());

/** For the how manieth time each message came. */
const deliveries = () => fixture.written('flaky').filter(Number.isInteger);

describe('sandbox aws: a failed message without a configured redelivery delay', () => {
  it('stays invisible for the visibility timeout of the queue', async () => {
    fixture = await startFixture((stack) => {
      const queue = { visibilityTimeout: Duration.hours(1) };
      addSource(stack, 'Orders', addFunction(stack, 'Flaky', failsFirst), { queue, batchSize: 1 });
    });
    await sendMessages(fixture, 'orders', [{ MessageBody: 'first' }]);
    await expect.poll(deliveries, patient).toHaveLength(1);
    // The poller works on one message after the other: once it has done the next, it has let go of the first.
    await sendMessages(fixture, 'orders', [{ MessageBody: 'next' }]);
    await expect.poll(deliveries, patient).toHaveLength(2);
    expect(await depthOf(fixture, 'orders')).toEqual({ visible: 0, inFlight: 2 });
  });
});

describe('sandbox aws: a failed message after a run that was cut', () => {
  it('comes back no sooner than the claims of the run end, also after the clock is advanced', async () => {
    const cut = failsFirst
      .replace('if (', "if (body === 'cut') process.exit(1);\n    if (")
      .replace('{ attributes', '{ body, attributes');
    fixture = await startFixture(
      (stack) => addSource(stack, 'Orders', addFunction(stack, 'Flaky', cut), { batchSize: 1 }),
      { redeliveryDelay: 0, claimMargin: 3_600 },
    );
    // One after the other, each after the poller has let go of the one before.
    for (const [index, MessageBody] of ['cut', 'sibling', 'sibling'].entries()) {
      await sendMessages(fixture, 'orders', [{ MessageBody }]);
      await expect.poll(deliveries, patient).toHaveLength(index + 1);
    }
    await fixture.host.advance(0, async () => undefined);
    expect(await depthOf(fixture, 'orders')).toEqual({ visible: 0, inFlight: 3 });
    expect(deliveries()).toEqual([1, 1, 1]);
  });
});

describe('sandbox aws: polling while SQS is unreachable', () => {
  it('continues, so that messages arrive once SQS is back', async () => {
    let broken = false;
    let brokenCalls = 0;
    fixture = await startFixture(
      (stack) => {
        const queue = { visibilityTimeout: Duration.seconds(1) };
        const quiet = 'exports.handler = async ({ Records }) => { console.log(Records.length); };';
        addSource(stack, 'Orders', addFunction(stack, 'Flaky', quiet), { queue, batchSize: 1 });
      },
      {
        redeliveryDelay: 0,
        onAwsCall: ({ operation }) => {
          if (!broken || operation !== 'ReceiveMessage') return;
          brokenCalls += 1;
          throw new Error('SQS is out of reach.');
        },
      },
    );
    broken = true;
    await sendMessages(fixture, 'orders', [{ MessageBody: 'first' }]);
    // More often than the SDK tries by itself.
    await expect.poll(() => brokenCalls, patient).toBeGreaterThan(3);
    broken = false;
    await expect.poll(deliveries, patient).toHaveLength(1);
  });
});
