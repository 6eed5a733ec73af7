import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { Duration } from 'aws-cdk-lib';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createVirtualClock, type VirtualClock } from '#sandbox/platform/core/clock.ts';
import { addFunction } from '#test/sandbox/aws/fixture-assembly.ts';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { addSource, depthOf, takeMessage } from './queue-fixture.ts';

const startedAt = new Date('2031-02-03T04:05:06.789Z');
const day = 86_400;

let clock: VirtualClock;
let fixture: FixtureHost;
beforeAll(async () => {
  clock = createVirtualClock({
    now: () => new Date(),
    frozenAt: startedAt,
    onError: (error) => expect.unreachable(String(error)),
  });
  fixture = await startFixture(
    (stack) => {
      addFunction(
        stack,
        'Watch',
        `const loadedAt = new Date();
         exports.handler = async (_, context) => {
           const began = Date.now();
           await new Promise((resolve) => setTimeout(resolve, 20));
           return {
             loadedAt, began, passed: Date.now() - began, date: new Date().toISOString(), text: Date(),
             remaining: context.getRemainingTimeInMillis(), pid: process.pid,
           };
         };`,
      );
      new Queue(stack, 'Waiting');
      new Queue(stack, 'Kept', { retentionPeriod: Duration.hours(1) });

      const note = addFunction(
        stack,
        'Note',
        `exports.handler = async ({ time, Records: [{ body, attributes }] = [{}] }) => {
           const at = new Date().toISOString().slice(0, 16);
           const sentOn = attributes && new Date(Number(attributes.SentTimestamp)).toISOString().slice(0, 16);
           console.log(JSON.stringify(body === undefined ? { tick: time.slice(0, 16), at } : { body, at, sentOn }));
           if (body === 'fail' && attributes.ApproximateReceiveCount === '1') throw new Error('as requested');
         };`,
      );
      const queue = { visibilityTimeout: Duration.minutes(7) };
      addSource(stack, 'Notes', note, { queue, maximumBatchingWindowInSeconds: 0 });
      const everyTenMinutes = ScheduleExpression.rate(Duration.minutes(10));
      new Schedule(stack, 'Tick', { schedule: everyTenMinutes, target: new LambdaInvoke(note, {}) });
    },
    { now: clock.now, redeliveryDelay: 0 },
  );
});
afterAll(async () => {
  await fixture.close();
  clock.close();
});

const answer = z.object({
  loadedAt: z.coerce.date(),
  began: z.number(),
  passed: z.number(),
  date: z.coerce.date(),
  text: z.string(),
  remaining: z.number(),
  pid: z.number(),
});
const watch = async () => answer.parse(await fixture.call('watch'));

/** The host's clock is frozen; the clock of a function runs on from there, by less than this. */
const minutes = 10 * 60_000;
function expectAround(time: Date | number, expected: Date): void {
  const late = new Date(time).getTime() - expected.getTime();
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(minutes);
}

describe('sandbox aws: one clock for the host and its functions', () => {
  it('gives functions the virtual time as Date from the time of loading', async () => {
    const { loadedAt, began, date, text } = await watch();
    for (const time of [loadedAt, began, date]) expectAround(time, startedAt);
    expect(text).toContain('Feb 03 2031');
  });

  it('updates running functions when the clock advances', async () => {
    const { pid } = await watch();
    await clock.advance(day);
    const after = await watch();
    expect(after.pid).toBe(pid);
    expectAround(after.date, clock.now());
  });

  it('keeps timers and the time limit of a function in real time', async () => {
    const { passed, remaining } = await watch();
    expect(passed).toBeLessThan(minutes);
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(3_000);
  });

  it('dates AWS answers by the virtual time, because the SDK retries with any other date', async () => {
    await clock.advance(day);
    const headers = { 'x-amz-target': 'AmazonSQS.GetQueueUrl' };
    const answer = await fetch(fixture.host.place.awsOrigin, { method: 'POST', headers, body: '{}' });
    expect(answer.headers.get('date')).toBe(clock.now().toUTCString());
  });

  it('delays SQS messages by the virtual time', async () => {
    const { sqs } = fixture.host.clients;
    const QueueUrl = fixture.queueUrl('waiting');
    const send = (MessageBody: string, DelaySeconds: number) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }));
    await send('late', 900);
    await send('early', 600);
    await send('immediate', 0);
    expect(await takeMessage(fixture, 'waiting')).toBe('immediate');
    await clock.advance(600);
    expect(await takeMessage(fixture, 'waiting')).toBe('early');
    await clock.advance(300);
    expect(await takeMessage(fixture, 'waiting')).toBe('late');
  });
});

describe('sandbox aws: advancing the clock of a host', () => {
  const text = z.string().optional();
  const note = z.object({ tick: text, body: text, at: text, sentOn: text });

  it('runs schedules and delivers messages in order of time, each at its own time', async () => {
    const { host, queueUrl } = fixture;
    const minute = 60_000;
    await host.advance(0, clock.advance);
    const before = fixture.written('note').length;
    const begin = clock.now().getTime();
    const send = (MessageBody: string, DelaySeconds: number) =>
      host.clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl('notes'), MessageBody, DelaySeconds }));
    await send('late', 12 * 60);
    await send('fail', 60);
    await host.advance(20 * 60, clock.advance);

    const minutesLater = (minutes: number) => new Date(begin + minutes * minute).toISOString().slice(0, 16);
    const notes = note
      .array()
      .parse(fixture.written('note').slice(before))
      .filter(({ at }) => at !== undefined);
    expect(notes.filter(({ body }) => body !== undefined)).toEqual([
      { body: 'fail', sentOn: minutesLater(0), at: minutesLater(1) },
      { body: 'fail', sentOn: minutesLater(0), at: minutesLater(8) },
      { body: 'late', sentOn: minutesLater(0), at: minutesLater(12) },
    ]);
    const ticks = notes.filter(({ tick }) => tick !== undefined);
    expect(ticks).toHaveLength(2);
    for (const { tick, at } of ticks) expect(at).toBe(tick);
    expect(notes.map(({ at }) => at)).toEqual(notes.map(({ at }) => at).toSorted());
  });

  it('deletes a message after the retention period of its queue', async () => {
    const { host, queueUrl } = fixture;
    await host.clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl('kept'), MessageBody: 'old' }));
    await host.advance(50 * 60, clock.advance);
    await host.clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl('kept'), MessageBody: 'new' }));
    await host.advance(20 * 60, clock.advance);
    expect(await depthOf(fixture, 'kept')).toEqual({ visible: 1, inFlight: 0 });
    expect(await takeMessage(fixture, 'kept')).toBe('new');
  });
});
