import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { arnOf, deployedStack, refTo, resolved, theResource } from '#test/infra/deployed-stack.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';

const data = deployedStack('data');
const service = deployedStack('service');
const drain = theResource(service, 'AWS::Lambda::Function', 'Drain');
const schedule = theResource(service, 'AWS::Scheduler::Schedule', 'DrainRuns');
const { Timeout } = z.object({ Timeout: z.number() }).parse(drain.Properties);

/** In seconds. */
const interval = 300;

describe('the schedule of the drain', () => {
  it('starts the drain every 5 minutes', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    expect(schedule.Properties.Target).toMatchObject({ Arn: arnOf(drain) });
  });

  it('starts a run after the timeout of the previous one', () => {
    expect(Timeout).toBeLessThan(interval);
  });

  it('gives a run time for many platform calls with all their attempts', () => {
    expect(Timeout).toBeGreaterThan((5 * platformProfile.parse({}).deadlines.call) / 1_000);
  });

  it('leaves enough time between runs for listed records to settle', () => {
    expect(interval - Timeout).toBeGreaterThanOrEqual(platformProfile.parse({}).undelivered.settle / 1_000);
  });

  it('has a description of its purpose', () => {
    expect(schedule.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });
});

describe('a failed start of the drain', () => {
  it('is retried until the next run, and then becomes a dead letter', () => {
    const missedRuns = theResource(service, 'AWS::SQS::Queue', 'MissedRuns');
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: interval },
      DeadLetterConfig: { Arn: arnOf(missedRuns) },
    });
  });
});

describe('the environment of the drain', () => {
  const { Variables } = z
    .object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) })
    .parse(drain.Properties).Environment;

  it.each([
    ['EVENTS_TABLE', data, 'AWS::DynamoDB::Table', 'Events'],
    ['CHECKPOINTS_TABLE', data, 'AWS::DynamoDB::Table', 'Checkpoints'],
    ['QUEUE_URL', data, 'AWS::SQS::Queue', 'Webhooks'],
  ] as const)('refers to the shared resource in %s', (name, stack, type, segment) => {
    expect(resolved(Variables[name])).toEqual(refTo(theResource(stack, type, segment)));
  });

  it('has the same event retention as store', () => {
    const store = theResource(service, 'AWS::Lambda::Function', 'Store');
    const { EVENT_RETENTION_DAYS } = Variables;
    expect(store.Properties).toMatchObject({ Environment: { Variables: { EVENT_RETENTION_DAYS } } });
  });
});

describe('the settings by which the drain recognizes our own webhooks', () => {
  const variablesOf = (name: string) =>
    z
      .object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) })
      .parse(theResource(service, 'AWS::Lambda::Function', name).Properties).Environment.Variables;

  it.each(['WEBHOOKS_URL', 'SECRET_ID'])('share the %s of register', (name) => {
    expect(variablesOf('Drain')[name]).toBeDefined();
    expect(variablesOf('Drain')[name]).toEqual(variablesOf('Register')[name]);
  });

  it('share the former URLs of the environment with register', () => {
    const { service: trial } = createTrialApp({ formerWebhooksUrls: ['https://former.example/webhooks'] });
    const FORMER_WEBHOOKS_URLS = '["https://former.example/webhooks"]';
    const environment = { Variables: Match.objectLike({ FORMER_WEBHOOKS_URLS }) };
    Template.fromStack(trial).resourcePropertiesCountIs('AWS::Lambda::Function', { Environment: environment }, 2);
  });
});
