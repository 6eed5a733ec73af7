import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const service = deployedStack('service');
const template = Template.fromJSON(service);
const receive = theResource(service, 'AWS::Lambda::Function', 'Receive');
const store = theResource(service, 'AWS::Lambda::Function', 'Store');
const queue = theResource(service, 'AWS::SQS::Queue', 'Webhooks');
const deadLetterQueue = theResource(service, 'AWS::SQS::Queue', 'WebhooksDlq');
const api = theResource(service, 'AWS::ApiGatewayV2::Api');
const stage = theResource(service, 'AWS::ApiGatewayV2::Stage');
/** A part of the stack's id that nobody can guess. */
const uuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
const webhooksRouteKey = { 'Fn::Join': ['', ['POST /webhooks/', uuid, '/{eventType}']] };
const mapping = theResource(service, 'AWS::Lambda::EventSourceMapping', 'Store');

describe('section 2.1: each event type has a URL of its own, and there is nothing else to call without a signature', () => {
  it('has no open route but that of the webhooks, at a path that nobody can guess', () => {
    const routes = resourcesOf(service, 'AWS::ApiGatewayV2::Route').filter(
      ({ Properties }) => Properties.AuthorizationType === 'NONE',
    );
    expect(routes.map(({ Properties }) => Properties.RouteKey)).toEqual([webhooksRouteKey]);
  });

  it('leads to receive', () => {
    const integration = theResource(service, 'AWS::ApiGatewayV2::Integration', 'ReceiveIntegration');
    expect(integration.Properties).toMatchObject({ IntegrationUri: arnOf(receive), PayloadFormatVersion: '2.0' });
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: webhooksRouteKey,
      Target: { 'Fn::Join': ['', ['integrations/', refTo(integration)]] },
    });
  });

  it('lets that API invoke receive, and nothing else', () => {
    const permissions = resourcesOf(service, 'AWS::Lambda::Permission').map(({ Properties }) => Properties);
    const ofReceive = permissions.filter((one) => JSON.stringify(one.FunctionName) === JSON.stringify(arnOf(receive)));
    expect(ofReceive).toEqual([
      expect.objectContaining({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' }),
    ]);
    expect(JSON.stringify(ofReceive[0]?.SourceArn)).toContain(JSON.stringify(refTo(api)));
  });

  it('serves no page of another origin', () => {
    expect(api.Properties).not.toHaveProperty('CorsConfiguration');
  });

  it('has no function URL beside it', () => {
    template.resourceCountIs('AWS::Lambda::Url', 0);
  });
});

describe('design: what the route takes is bounded', () => {
  it('throttles every route of its one stage, that of the webhooks by nothing of its own', () => {
    expect(stage.Properties).toMatchObject({
      ApiId: refTo(api),
      DefaultRouteSettings: { ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 },
    });
    const routeKeys = resourcesOf(service, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);
    const ofOthers = routeKeys.filter((routeKey) => typeof routeKey === 'string');
    const throttled = z.record(z.string(), z.unknown()).parse(stage.Properties.RouteSettings);
    expect(Object.keys(throttled).toSorted()).toEqual(ofOthers.toSorted());
  });

  it('writes no line of Lambda itself for a request that receive has answered', () => {
    expect(receive.Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
  });

  it('reserves no executions, and names no source ranges, unless they are set', () => {
    expect(receive.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(receive.Properties.Environment).not.toHaveProperty('Variables.SOURCE_RANGES');
  });
});

describe('promise 8: no personal data or secret leaves in an access log', () => {
  const { Format } = z.object({ Format: z.string() }).parse(stage.Properties.AccessLogSettings);
  const format = z.record(z.string(), z.string()).parse(JSON.parse(Format));

  it('logs to a log group with a retention', () => {
    const logGroup = theResource(service, 'AWS::Logs::LogGroup', 'AccessLogs');
    expect(stage.Properties).toMatchObject({ AccessLogSettings: { DestinationArn: arnOf(logGroup) } });
    expect(logGroup.Properties).toMatchObject({ RetentionInDays: expect.any(Number) });
  });

  it('says which request it was, and what became of it', () => {
    expect(Object.keys(format)).toEqual(expect.arrayContaining(['requestId', 'requestTime', 'routeKey', 'status']));
  });

  it.each(Object.entries(format))('%s is no header, body, path or query', (_, value) => {
    expect(value).toMatch(/^\$context\.[A-Za-z.]+$/);
    expect(value).not.toMatch(/header|body|path|query|authorizer|userAgent|overrid/i);
  });
});

describe('failure mode: visibility shorter than the work', () => {
  it('hides a message for six times the time limit of store', () => {
    const { Timeout } = z.object({ Timeout: z.number() }).parse(store.Properties);
    const { VisibilityTimeout } = z.object({ VisibilityTimeout: z.number() }).parse(queue.Properties);
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });
});

describe('promise 3: what cannot be stored ends in a dead-letter queue', () => {
  const redrive = z
    .strictObject({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.number() })
    .parse(queue.Properties.RedrivePolicy);

  it('moves there after five tries at the earliest', () => {
    expect(redrive.deadLetterTargetArn).toEqual(arnOf(deadLetterQueue));
    expect(redrive.maxReceiveCount).toBeGreaterThanOrEqual(5);
  });

  it('is kept there for longer than in the source, since it keeps its age', () => {
    const retention = z.object({ MessageRetentionPeriod: z.number() });
    const source = retention.parse(queue.Properties).MessageRetentionPeriod;
    expect(retention.parse(deadLetterQueue.Properties).MessageRetentionPeriod).toBeGreaterThan(source);
  });

  it('fits there: as large as in the source', () => {
    expect(deadLetterQueue.Properties.MaximumMessageSize).toBe(queue.Properties.MaximumMessageSize);
  });

  it('is a standard queue, as the source is', () => {
    for (const { Properties } of [queue, deadLetterQueue]) expect(Properties).not.toHaveProperty('FifoQueue');
  });
});

describe('design: store merges events into entities, and publishes what changed', () => {
  const { Variables } = z.object({ Variables: z.record(z.string(), z.unknown()) }).parse(store.Properties.Environment);
  const data = deployedStack('data');

  it('knows the tables and the bus of the data stack', () => {
    expect(resolved(Variables['EVENTS_TABLE'])).toEqual(refTo(theResource(data, 'AWS::DynamoDB::Table', 'Events')));
    expect(resolved(Variables['ENTITIES_TABLE'])).toEqual(refTo(theResource(data, 'AWS::DynamoDB::Table', 'Entities')));
    expect(resolved(Variables['EVENT_BUS'])).toEqual(refTo(theResource(data, 'AWS::Events::EventBus')));
  });
});

describe('design: store works on batches, and says which messages failed', () => {
  it('takes ten messages at most from the webhooks queue', () => {
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: arnOf(queue),
      FunctionName: refTo(store),
      BatchSize: 10,
    });
  });

  it('reports the failed messages of a batch alone', () => {
    expect(mapping.Properties).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
  });

  it('bounds its concurrency on the mapping, where what waits counts as no try', () => {
    expect(mapping.Properties).toMatchObject({ ScalingConfig: { MaximumConcurrency: 50 } });
  });

  it('is enabled', () => {
    expect(mapping.Properties).not.toMatchObject({ Enabled: false });
  });

  it('is the one consumer', () => {
    const mappings = template.findResources('AWS::Lambda::EventSourceMapping', {
      Properties: { EventSourceArn: arnOf(queue) },
    });
    expect(Object.keys(mappings)).toEqual([mapping.id]);
  });
});
