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

describe('design, draining: a run every 5 minutes', () => {
  it('by a schedule that starts drain', () => {
    expect(schedule.Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    expect(schedule.Properties.Target).toMatchObject({ Arn: arnOf(drain) });
  });

  it('that is over before the next one begins', () => {
    expect(Timeout).toBeLessThan(interval);
  });

  it('with time for a call to the platform, all its attempts included, many times over', () => {
    expect(Timeout).toBeGreaterThan((5 * platformProfile.parse({}).deadlines.call) / 1_000);
  });

  it('so that what one run has listed has settled by the next', () => {
    expect(interval - Timeout).toBeGreaterThanOrEqual(platformProfile.parse({}).undelivered.settle / 1_000);
  });

  it('says what it does', () => {
    expect(schedule.Properties.Description).toMatch(/^[A-Z].{20,}/);
  });
});

describe('failure mode: a schedule that fails is lost', () => {
  it('is tried again until the next run is due, and is then a dead letter', () => {
    const missedRuns = theResource(service, 'AWS::SQS::Queue', 'MissedRuns');
    expect(schedule.Properties.Target).toMatchObject({
      RetryPolicy: { MaximumEventAgeInSeconds: interval },
      DeadLetterConfig: { Arn: arnOf(missedRuns) },
    });
  });
});

describe('design: drain writes where the others write', () => {
  const { Variables } = z
    .object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) })
    .parse(drain.Properties).Environment;

  it.each([
    ['EVENTS_TABLE', data, 'AWS::DynamoDB::Table', 'Events'],
    ['CHECKPOINTS_TABLE', data, 'AWS::DynamoDB::Table', 'Checkpoints'],
    ['QUEUE_URL', service, 'AWS::SQS::Queue', 'Webhooks'],
  ] as const)('%s', (name, stack, type, segment) => {
    expect(resolved(Variables[name])).toEqual(refTo(theResource(stack, type, segment)));
  });

  it('and keeps events as long as store does', () => {
    const store = theResource(service, 'AWS::Lambda::Function', 'Store');
    const { EVENT_RETENTION_DAYS } = Variables;
    expect(store.Properties).toMatchObject({ Environment: { Variables: { EVENT_RETENTION_DAYS } } });
  });
});

describe('drain tells webhooks of ours from those of another system', () => {
  const variablesOf = (name: string) =>
    z
      .object({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }) })
      .parse(theResource(service, 'AWS::Lambda::Function', name).Properties).Environment.Variables;

  it.each(['WEBHOOKS_URL', 'SECRET_ID'])('by the %s that register has', (name) => {
    expect(variablesOf('Drain')[name]).toBeDefined();
    expect(variablesOf('Drain')[name]).toEqual(variablesOf('Register')[name]);
  });

  it('and by the former URLs that an environment names, as register does', () => {
    const { service: trial } = createTrialApp({ formerWebhooksUrls: ['https://former.example/webhooks'] });
    const FORMER_WEBHOOKS_URLS = '["https://former.example/webhooks"]';
    const environment = { Variables: Match.objectLike({ FORMER_WEBHOOKS_URLS }) };
    Template.fromStack(trial).resourcePropertiesCountIs('AWS::Lambda::Function', { Environment: environment }, 2);
  });
});
