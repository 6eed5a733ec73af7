import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { busSource } from '#shared/bus/bus.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { leaseMs } from '#shared/onboarding/onboarding-lease.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { arnOf, deployedStack, pathOf, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const data = deployedStack('data');
const service = deployedStack('service');
const theFunction = (name: string) => theResource(service, 'AWS::Lambda::Function', name);
const theQueue = (name: string) =>
  resourcesOf(service, 'AWS::SQS::Queue').find((queue) => pathOf(queue).at(-2) === name) ?? expect.fail(name);
const request = theFunction('Api');
const requestEvent = theFunction('RequestEvent');
const updatePerson = theFunction('UpdatePerson');
const advance = theFunction('Advance');
const queue = theQueue('Onboarding');
const deadLetterQueue = theQueue('OnboardingDlq');
const timeoutOf = ({ Properties }: { Properties: Record<string, unknown> }) => z.number().parse(Properties['Timeout']);

const routes = new Map(
  resourcesOf(service, 'AWS::ApiGatewayV2::Route').map((route) => [String(route.Properties.RouteKey), route]),
);
const ofRequest = [
  'POST /onboardings',
  'GET /onboardings/{externalId}',
  'POST /onboardings/{externalId}/cancel',
  'POST /onboardings/{externalId}/retry',
];
const ofUpdate = 'PATCH /onboardings/{externalId}/person';

function functionBehind(routeKey: string): unknown {
  const target = JSON.stringify(routes.get(routeKey)?.Properties.Target);
  return resourcesOf(service, 'AWS::ApiGatewayV2::Integration').find(
    (one) => target === JSON.stringify({ 'Fn::Join': ['', ['integrations/', refTo(one)]] }),
  )?.Properties.IntegrationUri;
}

describe('the routes of the onboarding API', () => {
  it.each([...ofRequest, ofUpdate])('authorize %s by IAM and throttle it separately', (routeKey) => {
    expect(routes.get(routeKey)?.Properties).toMatchObject({ AuthorizationType: 'AWS_IAM' });
    const { Properties, DependsOn } = theResource(service, 'AWS::ApiGatewayV2::Stage');
    expect(Properties.RouteSettings).toHaveProperty(
      [routeKey],
      expect.objectContaining({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }),
    );
    expect(DependsOn).toContain(routes.get(routeKey)?.id);
  });

  it('lead requests to the api function and updates of a person to updatePerson', () => {
    for (const routeKey of ofRequest) expect(functionBehind(routeKey)).toEqual(arnOf(request));
    expect(functionBehind(ofUpdate)).toEqual(arnOf(updatePerson));
  });

  it('answer before the timeout of API Gateway', () => {
    for (const answering of [request, updatePerson]) expect(timeoutOf(answering)).toBeLessThan(30);
  });
});

describe('the rule for OnboardingRequested events on the bus', () => {
  const rule = theResource(service, 'AWS::Events::Rule', 'Requested');
  const takes = (detailType: string, source: string) =>
    matchesPattern(readEventPattern(rule.Properties.EventPattern, 'Requested'), {
      source,
      'detail-type': detailType,
      detail: {},
    });

  it('accepts the event from every publisher on our bus', () => {
    expect(resolved(rule.Properties.EventBusName)).toEqual(refTo(theResource(data, 'AWS::Events::EventBus')));
    expect(['partner.app', busSource].map((source) => takes('OnboardingRequested', source))).toEqual([true, true]);
  });

  it.each([...Object.keys(onboardingDetails), 'NaturalPersonStatusChanged'])(
    'ignores events that Drawbridge publishes: %s',
    (detailType) => {
      expect(takes(detailType, busSource)).toBe(false);
    },
  );

  it('hands the event to the requests queue, and to its dead-letter queue what the queue does not take', () => {
    const target = z.looseObject({ Arn: z.unknown(), DeadLetterConfig: z.object({ Arn: z.unknown() }) });
    const [{ Arn, DeadLetterConfig, ...rest }] = z.tuple([target]).parse(rule.Properties.Targets);
    expect([Arn, DeadLetterConfig.Arn].map(resolved)).toEqual(
      ['Requests', 'RequestsDlq'].map((name) => arnOf(theResource(data, 'AWS::SQS::Queue', name))),
    );
    expect(rest).toMatchObject({ RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 } });
  });

  it('does not invoke the function, which takes the requests from the queue', () => {
    const permissions = resourcesOf(service, 'AWS::Lambda::Permission').filter(
      ({ Properties }) => JSON.stringify(Properties.FunctionName) === JSON.stringify(arnOf(requestEvent)),
    );
    expect(permissions).toEqual([]);
    const mapping = theResource(service, 'AWS::Lambda::EventSourceMapping', 'RequestEvent');
    expect(mapping.Properties).toMatchObject({
      FunctionName: refTo(requestEvent),
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });
});

describe('the queue of waiting onboardings (promise 9)', () => {
  const mapping = theResource(service, 'AWS::Lambda::EventSourceMapping', 'Advance');

  it('invokes advance with small batches and reports failures per message', () => {
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: arnOf(queue),
      FunctionName: refTo(advance),
      BatchSize: 5,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
  });

  it('gives advance time for several platform calls with all their attempts', () => {
    expect(timeoutOf(advance)).toBeGreaterThanOrEqual((4 * platformProfile.parse({}).deadlines.call) / 1_000);
  });

  it('hides a message long enough for the timeout of advance, and for the lease of an onboarding', () => {
    expect(queue.Properties).toMatchObject({ VisibilityTimeout: 6 * timeoutOf(advance) });
    expect(leaseMs).toBe(6 * timeoutOf(advance) * 1_000);
  });

  it('is a standard queue, so that no onboarding waits for another one', () => {
    for (const { Properties } of [queue, deadLetterQueue]) expect(Properties).not.toHaveProperty('FifoQueue');
  });
});

describe('the functions of the onboarding capability', () => {
  const variablesOf = ({ Properties }: { Properties: Record<string, unknown> }) =>
    z.object({ Variables: z.record(z.string(), z.unknown()) }).parse(Properties['Environment']).Variables;

  it.each([
    ['ONBOARDINGS_TABLE', [request, requestEvent, updatePerson, advance, theFunction('Store'), theFunction('Wake')]],
    ['ONBOARDING_QUEUE_URL', [request, requestEvent, theFunction('Store'), theFunction('Wake')]],
    ['EVENT_BUS', [requestEvent, advance, theFunction('Store')]],
  ] as const)('share the resource of the variable %s', (name, functions) => {
    const expected = {
      ONBOARDINGS_TABLE: refTo(theResource(data, 'AWS::DynamoDB::Table', 'Onboardings')),
      ONBOARDING_QUEUE_URL: refTo(queue),
      EVENT_BUS: refTo(theResource(data, 'AWS::Events::EventBus')),
    }[name];
    for (const one of functions) expect(resolved(variablesOf(one)[name])).toEqual(expected);
  });
});
