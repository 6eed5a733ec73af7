import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { refreshGroup, refreshInterval } from '#shared/connection/token-report.ts';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const service = deployedStack('service');
const refresh = theResource(service, 'AWS::Lambda::Function', 'Refresh');
const queue = theResource(service, 'AWS::SQS::Queue', 'TokenRefreshes');
const deadLetterQueue = theResource(service, 'AWS::SQS::Queue', 'TokenRefreshesDlq');
const missedRuns = theResource(service, 'AWS::SQS::Queue', 'MissedRuns');
const schedule = theResource(service, 'AWS::Scheduler::Schedule', 'TokenRefresh');
const mapping = theResource(service, 'AWS::Lambda::EventSourceMapping', 'Refresh');

const retention = z.object({ MessageRetentionPeriod: z.number() });
const { Timeout } = z.object({ Timeout: z.number() }).parse(refresh.Properties);
const { VisibilityTimeout } = z.object({ VisibilityTimeout: z.number() }).parse(queue.Properties);
const { MessageRetentionPeriod } = retention.parse(queue.Properties);
const { maxReceiveCount } = z.object({ maxReceiveCount: z.number() }).parse(queue.Properties.RedrivePolicy);

describe('design, tokens: the refresher runs every 5 minutes', () => {
  it('as often as it thinks when it looks ahead to its next run', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    expect(refreshInterval).toBe(5 * 60_000);
  });

  it('by a message to its queue, so that it is tried again where it fails, and never beside a report', () => {
    expect(schedule.Properties.Target).toMatchObject({
      Arn: arnOf(queue),
      SqsParameters: { MessageGroupId: refreshGroup },
    });
  });

  it('which is of its own each time, or SQS would take it for the one before: the event of the schedule', () => {
    expect(schedule.Properties.Target).not.toHaveProperty('Input');
  });

  it('says what it does', () => {
    expect(schedule.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });
});

describe('failure mode: a schedule that fails is lost', () => {
  it('is tried again until the next run is due, and is then a dead letter', () => {
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 10 },
      DeadLetterConfig: { Arn: arnOf(missedRuns) },
    });
  });

  it('in a standard queue: EventBridge Scheduler takes no other', () => {
    expect(missedRuns.Properties).not.toHaveProperty('FifoQueue');
  });
});

describe('promise 7: one refresh per need, however many callers', () => {
  it('takes messages in order, so that Lambda works on one of a group at a time', () => {
    expect(queue.Properties).toMatchObject({ FifoQueue: true });
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: arnOf(queue),
      FunctionName: refTo(refresh),
      BatchSize: 1,
    });
  });

  it('takes the same report once in five minutes', () => {
    expect(queue.Properties).toMatchObject({ ContentBasedDeduplication: true });
  });

  it('has no other trigger', () => {
    const triggers = resourcesOf(service, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => JSON.stringify(Properties.FunctionName) === JSON.stringify(refTo(refresh)),
    );
    expect(triggers).toHaveLength(1);
    const callable = resourcesOf(service, 'AWS::Lambda::Permission').map(({ Properties }) => Properties.FunctionName);
    expect(callable).not.toContainEqual(arnOf(refresh));
  });
});

describe('a refresh that fails', () => {
  it('failure mode: visibility shorter than the work. It is hidden for six times the time limit', () => {
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });

  it('is tried again within two minutes, since calls may be failing', () => {
    expect(VisibilityTimeout).toBeLessThanOrEqual(120);
  });

  it('section 8: is tried for as long as a token lives, and is then a dead letter', () => {
    expect(maxReceiveCount * VisibilityTimeout).toBeGreaterThanOrEqual(3_600);
    expect(MessageRetentionPeriod).toBeGreaterThan(maxReceiveCount * VisibilityTimeout);
    expect(queue.Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: arnOf(deadLetterQueue) });
  });

  it('failure mode: a dead letter keeps its age. It is kept for longer than in the source', () => {
    const kept = retention.parse(deadLetterQueue.Properties).MessageRetentionPeriod;
    expect(kept).toBeGreaterThan(MessageRetentionPeriod);
    expect(deadLetterQueue.Properties).toMatchObject({ FifoQueue: true });
  });

  it('says so itself', () => {
    expect(mapping.Properties).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(mapping.Properties).not.toMatchObject({ Enabled: false });
  });
});

describe('section 5: the refresher knows the token service, and where its secrets are', () => {
  it('from its environment', () => {
    const { Variables } = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(refresh.Properties.Environment);
    const data = deployedStack('data');
    const secret = (name: string) => refTo(theResource(data, 'AWS::SecretsManager::Secret', name));
    expect(Variables['PLATFORM_AUTH_URL']).toBe('https://auth.sandbox.platform.example');
    expect(resolved(Variables['PLATFORM_TOKEN_SECRET_ID'])).toEqual(secret('PlatformToken'));
    expect(resolved(Variables['PLATFORM_CREDENTIALS_SECRET_ID'])).toEqual(secret('PlatformCredentials'));
  });
});
