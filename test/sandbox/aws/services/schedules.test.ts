import { DeleteQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { Duration, TimeZone } from 'aws-cdk-lib';
import { Rule, Schedule as RuleSchedule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Schedule, ScheduleExpression, type ScheduleProps, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke, type ScheduleTargetBaseProps, SqsSendMessage } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSchedule } from '#sandbox/scenario/common/schedules.ts';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { depthOf, takeMessage } from '#test/sandbox/aws/lambda/queue-fixture.ts';

const writesEvent = 'exports.handler = async (event) => console.log(JSON.stringify(event));';
const fails = `exports.handler = async () => { console.log('"tried"'); throw new Error('as always'); };`;

let fixture: FixtureHost;
beforeAll(async () => {
  fixture = await startFixture((stack) => {
    const listener = addFunction(stack, 'Listener', writesEvent);
    const failing = addFunction(stack, 'Failing', fails);
    const once = addFunction(stack, 'Once', fails, { retryAttempts: 0 });
    const inbox = new Queue(stack, 'Inbox');
    const ordered = new Queue(stack, 'Ordered', { fifo: true, contentBasedDeduplication: true });
    const deadLetterQueue = new Queue(stack, 'Missed');
    const daily = { schedule: ScheduleExpression.cron({ minute: '0', hour: '8', timeZone: TimeZone.EUROPE_BERLIN }) };
    const every = (id: string, props: Omit<ScheduleProps, 'schedule'>) =>
      new Schedule(stack, id, { ...daily, ...props });

    every('Daily', { target: new LambdaInvoke(listener, {}) });
    const input = ScheduleTargetInput.fromObject({ reason: 'nightly' });
    every('ToQueue', { target: new SqsSendMessage(inbox, { input }) });
    every('ToOrdered', { target: new SqsSendMessage(ordered, { messageGroupId: 'group' }) });
    const retried: ScheduleTargetBaseProps = { input, retryAttempts: 1, deadLetterQueue };
    every('Missing', { target: new SqsSendMessage(new Queue(stack, 'Gone'), retried) });
    every('ToFailing', { target: new LambdaInvoke(failing, retried) });
    every('ToOnce', { target: new LambdaInvoke(once, retried) });
    new Rule(stack, 'Hourly', {
      schedule: RuleSchedule.rate(Duration.hours(1)),
      targets: [
        new LambdaFunction(listener),
        new LambdaFunction(listener, { event: RuleTargetInput.fromObject({ second: 'target' }) }),
      ],
    });
  });
});
afterAll(() => fixture.close());

const run = (name: string) => runSchedule(fixture.host, name);

describe('sandbox aws: running a schedule now', () => {
  it('passes a scheduled event to its function', async () => {
    await run('daily');
    await expect
      .poll(() => fixture.written('listener'), { timeout: 20_000 })
      .toContainEqual({
        version: '0',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        'detail-type': 'Scheduled Event',
        source: 'aws.scheduler',
        account: '000000000000',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        region: 'eu-central-1',
        resources: ['arn:aws:scheduler:eu-central-1:000000000000:schedule/default/fixture-daily'],
        detail: '{}',
      });
  });

  it('sends to a queue', async () => {
    await run('to-queue');
    expect(await takeMessage(fixture, 'inbox')).toBe('{"reason":"nightly"}');
  });

  it('sends a new event to a FIFO queue each time', async () => {
    await run('to-ordered');
    await run('to-ordered');
    const events = [await takeMessage(fixture, 'ordered'), await takeMessage(fixture, 'ordered')];
    expect(events[0]).toContain('"source":"aws.scheduler"');
    expect(events[1]).not.toBe(events[0]);
  });

  it('reaches every target of a rule, each with its own input', async () => {
    await run('hourly');
    const resources = ['arn:aws:events:eu-central-1:000000000000:rule/fixture-hourly'];
    const scheduled = { source: 'aws.events', detail: {}, resources };
    await expect
      .poll(() => fixture.written('listener'), { timeout: 20_000 })
      .toContainEqual(expect.objectContaining(scheduled));
    await expect.poll(() => fixture.written('listener'), { timeout: 20_000 }).toContainEqual({ second: 'target' });
  });
});

describe('sandbox aws: a schedule whose function fails', () => {
  it('has Lambda try three times, and leaves its dead-letter queue empty', async () => {
    await run('to-failing');
    // The line of a try can come after the end of the run.
    await expect.poll(() => fixture.written('failing').filter((line) => line === 'tried')).toHaveLength(3);
    expect(await depthOf(fixture, 'missed')).toMatchObject({ visible: 0 });
  });

  it('has Lambda try as often as the function declares', async () => {
    await run('to-once');
    await run('to-once');
    await expect.poll(() => fixture.written('once').filter((line) => line === 'tried')).toHaveLength(2);
  });
});

describe('sandbox aws: a schedule whose target does not take the event', () => {
  it('moves the event to its dead-letter queue, with the schedule and the error', async () => {
    const { host, queueUrl } = fixture;
    await host.clients.sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl('gone') }));
    await run('missing');
    const { Messages: [message] = [] } = await host.clients.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: queueUrl('missed'), MessageAttributeNames: ['All'] }),
    );
    const attributes = Object.entries(message?.MessageAttributes ?? {});
    expect(message?.Body).toBe('{"reason":"nightly"}');
    expect(Object.fromEntries(attributes.map(([name, { StringValue }]) => [name, StringValue]))).toEqual({
      SCHEDULE_ARN: 'arn:aws:scheduler:eu-central-1:000000000000:schedule/default/fixture-missing',
      TARGET_ARN: expect.stringContaining(':sqs:'),
      ERROR_CODE: 'QueueDoesNotExist',
      ERROR_MESSAGE: 'The specified queue does not exist.',
      RETRY_ATTEMPTS: '1',
    });
  });
});
