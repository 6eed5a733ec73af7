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

describe('the schedule of the token refresher', () => {
  it('has the interval that the refresher assumes when it looks ahead', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    expect(refreshInterval).toBe(5 * 60_000);
  });

  it('sends a message to the queue, so that runs are retried and never overlap with a report', () => {
    expect(schedule.Properties.Target).toMatchObject({
      Arn: arnOf(queue),
      SqsParameters: { MessageGroupId: refreshGroup },
    });
  });

  it('sends a unique message each time, so that SQS does not deduplicate it', () => {
    expect(schedule.Properties.Target).not.toHaveProperty('Input');
  });

  it('has a description of its purpose', () => {
    expect(schedule.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });
});

describe('a failed start of the token refresher', () => {
  it('is retried until the next run, and then becomes a dead letter', () => {
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 10 },
      DeadLetterConfig: { Arn: arnOf(missedRuns) },
    });
  });

  it('has a standard dead-letter queue, as EventBridge Scheduler requires', () => {
    expect(missedRuns.Properties).not.toHaveProperty('FifoQueue');
  });
});

describe('the queue of token refreshes (promise 7)', () => {
  it('is FIFO, so that Lambda processes one message of a group at a time', () => {
    expect(queue.Properties).toMatchObject({ FifoQueue: true });
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: arnOf(queue),
      FunctionName: refTo(refresh),
      BatchSize: 1,
    });
  });

  it('deduplicates equal reports for five minutes', () => {
    expect(queue.Properties).toMatchObject({ ContentBasedDeduplication: true });
  });

  it('is the only trigger of the refresher', () => {
    const triggers = resourcesOf(service, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => JSON.stringify(Properties.FunctionName) === JSON.stringify(refTo(refresh)),
    );
    expect(triggers).toHaveLength(1);
    const callable = resourcesOf(service, 'AWS::Lambda::Permission').map(({ Properties }) => Properties.FunctionName);
    expect(callable).not.toContainEqual(arnOf(refresh));
  });
});

describe('a failed refresh', () => {
  it('is hidden long enough for the timeout of the function', () => {
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });

  it('is retried within two minutes, because calls may be failing', () => {
    expect(VisibilityTimeout).toBeLessThanOrEqual(120);
  });

  it('is retried as long as a token lives, and then becomes a dead letter (section 8)', () => {
    expect(maxReceiveCount * VisibilityTimeout).toBeGreaterThanOrEqual(3_600);
    expect(MessageRetentionPeriod).toBeGreaterThan(maxReceiveCount * VisibilityTimeout);
    expect(queue.Properties.RedrivePolicy).toMatchObject({ deadLetterTargetArn: arnOf(deadLetterQueue) });
  });

  it('is kept longer as a dead letter than in the source queue, because a message keeps its age', () => {
    const kept = retention.parse(deadLetterQueue.Properties).MessageRetentionPeriod;
    expect(kept).toBeGreaterThan(MessageRetentionPeriod);
    expect(deadLetterQueue.Properties).toMatchObject({ FifoQueue: true });
  });

  it('raises the alarm of the dead-letter queue', () => {
    expect(mapping.Properties).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
    expect(mapping.Properties).not.toMatchObject({ Enabled: false });
  });
});

describe('the token refresher (section 5)', () => {
  it('has the token service and its secrets in its environment', () => {
    const { Variables } = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(refresh.Properties.Environment);
    const data = deployedStack('data');
    const secret = (name: string) => refTo(theResource(data, 'AWS::SecretsManager::Secret', name));
    expect(Variables['PLATFORM_AUTH_URL']).toBe('http://localhost:4010');
    expect(resolved(Variables['PLATFORM_TOKEN_SECRET_ID'])).toEqual(secret('PlatformToken'));
    expect(resolved(Variables['PLATFORM_CREDENTIALS_SECRET_ID'])).toEqual(secret('PlatformCredentials'));
  });
});
