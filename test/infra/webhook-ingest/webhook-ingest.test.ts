import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { version } from '#shared/version.ts';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const service = deployedStack('service');
const template = Template.fromJSON(service);
const receive = theResource(service, 'AWS::Lambda::Function', 'Receive');
const store = theResource(service, 'AWS::Lambda::Function', 'Store');
const queue = theResource(deployedStack('data'), 'AWS::SQS::Queue', 'Webhooks');
const deadLetterQueue = theResource(deployedStack('data'), 'AWS::SQS::Queue', 'WebhooksDlq');
const api = theResource(service, 'AWS::ApiGatewayV2::Api');
const stage = theResource(service, 'AWS::ApiGatewayV2::Stage');
/** The random part of the stack's id. */
const uuid = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
const webhooksRouteKey = { 'Fn::Join': ['', ['POST /webhooks/', uuid, '/{eventType}']] };
const mapping = theResource(service, 'AWS::Lambda::EventSourceMapping', 'Store');

describe('the route of the webhooks (section 2.1)', () => {
  it('is the only open route, at a path with a random part', () => {
    const routes = resourcesOf(service, 'AWS::ApiGatewayV2::Route').filter(
      ({ Properties }) => Properties.AuthorizationType === 'NONE',
    );
    expect(routes.map(({ Properties }) => Properties.RouteKey)).toEqual([webhooksRouteKey]);
  });

  it('leads to the function receive', () => {
    const integration = theResource(service, 'AWS::ApiGatewayV2::Integration', 'ReceiveIntegration');
    expect(integration.Properties).toMatchObject({ IntegrationUri: arnOf(receive), PayloadFormatVersion: '2.0' });
    template.hasResourceProperties('AWS::ApiGatewayV2::Route', {
      RouteKey: webhooksRouteKey,
      Target: { 'Fn::Join': ['', ['integrations/', refTo(integration)]] },
    });
  });

  it('is the only permission to invoke receive', () => {
    const permissions = resourcesOf(service, 'AWS::Lambda::Permission').map(({ Properties }) => Properties);
    const ofReceive = permissions.filter((one) => JSON.stringify(one.FunctionName) === JSON.stringify(arnOf(receive)));
    expect(ofReceive).toEqual([
      expect.objectContaining({ Action: 'lambda:InvokeFunction', Principal: 'apigateway.amazonaws.com' }),
    ]);
    expect(JSON.stringify(ofReceive[0]?.SourceArn)).toContain(JSON.stringify(refTo(api)));
  });

  it('allows no cross-origin requests', () => {
    expect(api.Properties).not.toHaveProperty('CorsConfiguration');
  });

  it('exists without a function URL beside it', () => {
    template.resourceCountIs('AWS::Lambda::Url', 0);
  });
});

describe('the limits of the webhook route', () => {
  it('throttle every route of the stage by its default, including the webhooks', () => {
    expect(stage.Properties).toMatchObject({
      ApiId: refTo(api),
      DefaultRouteSettings: { ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 },
    });
    const routeKeys = resourcesOf(service, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);
    const ofOthers = routeKeys.filter((routeKey) => typeof routeKey === 'string');
    const throttled = z.record(z.string(), z.unknown()).parse(stage.Properties.RouteSettings);
    expect(Object.keys(throttled).toSorted()).toEqual(ofOthers.toSorted());
  });

  it('suppress the platform log lines of Lambda for answered requests', () => {
    expect(receive.Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' });
  });

  it('reserve no concurrency and set no source ranges by default', () => {
    expect(receive.Properties).not.toHaveProperty('ReservedConcurrentExecutions');
    expect(receive.Properties.Environment).not.toHaveProperty('Variables.SOURCE_RANGES');
  });
});

describe('the access log of the API (promise 8)', () => {
  const { Format } = z.object({ Format: z.string() }).parse(stage.Properties.AccessLogSettings);
  const { version: release, ...format } = z.record(z.string(), z.string()).parse(JSON.parse(Format));

  it('uses a log group with a retention', () => {
    const logGroup = theResource(service, 'AWS::Logs::LogGroup', 'AccessLogs');
    expect(stage.Properties).toMatchObject({ AccessLogSettings: { DestinationArn: arnOf(logGroup) } });
    expect(logGroup.Properties).toMatchObject({ RetentionInDays: expect.any(Number) });
  });

  it('has a name below /aws/vendedlogs/, with the environment and a part of the id of the stack', () => {
    const { Properties } = theResource(service, 'AWS::Logs::LogGroup', 'AccessLogs');
    const firstPart = { 'Fn::Select': [0, { 'Fn::Split': ['-', uuid] }] };
    expect(Properties.LogGroupName).toEqual({
      'Fn::Join': ['', ['/aws/vendedlogs/apigateway/drawbridge-laptop-service-', firstPart]],
    });
  });

  it('contains the release, the request id and the status', () => {
    expect(release).toBe(version);
    expect(Object.keys(format)).toEqual(expect.arrayContaining(['requestId', 'requestTime', 'routeKey', 'status']));
  });

  it.each(Object.entries(format))('contains no header, body, path or query in %s', (_, value) => {
    expect(value).toMatch(/^\$context\.[A-Za-z.]+$/);
    expect(value).not.toMatch(/header|body|path|query|authorizer|userAgent|overrid/i);
  });
});

describe('the visibility timeout of the webhooks queue', () => {
  it('is long enough for the timeout of store', () => {
    const { Timeout } = z.object({ Timeout: z.number() }).parse(store.Properties);
    const { VisibilityTimeout } = z.object({ VisibilityTimeout: z.number() }).parse(queue.Properties);
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
  });
});

describe('the dead-letter queue of the webhooks (promise 3)', () => {
  const redrive = z
    .strictObject({ deadLetterTargetArn: z.unknown(), maxReceiveCount: z.number() })
    .parse(queue.Properties.RedrivePolicy);

  it('receives a message after at least five tries', () => {
    expect(redrive.deadLetterTargetArn).toEqual(arnOf(deadLetterQueue));
    expect(redrive.maxReceiveCount).toBeGreaterThanOrEqual(5);
  });

  it('keeps a message longer than the source, because a message keeps its age', () => {
    const retention = z.object({ MessageRetentionPeriod: z.number() });
    const source = retention.parse(queue.Properties).MessageRetentionPeriod;
    expect(retention.parse(deadLetterQueue.Properties).MessageRetentionPeriod).toBeGreaterThan(source);
  });

  it('accepts messages as large as in the source', () => {
    expect(deadLetterQueue.Properties.MaximumMessageSize).toBe(queue.Properties.MaximumMessageSize);
  });

  it('is a standard queue like its source', () => {
    for (const { Properties } of [queue, deadLetterQueue]) expect(Properties).not.toHaveProperty('FifoQueue');
  });
});

describe('the environment of store', () => {
  const { Variables } = z.object({ Variables: z.record(z.string(), z.unknown()) }).parse(store.Properties.Environment);
  const data = deployedStack('data');

  it('refers to the tables and the bus of the data stack', () => {
    expect(resolved(Variables['EVENTS_TABLE'])).toEqual(refTo(theResource(data, 'AWS::DynamoDB::Table', 'Events')));
    expect(resolved(Variables['ENTITIES_TABLE'])).toEqual(refTo(theResource(data, 'AWS::DynamoDB::Table', 'Entities')));
    expect(resolved(Variables['EVENT_BUS'])).toEqual(refTo(theResource(data, 'AWS::Events::EventBus')));
  });
});

describe('the event source mapping of store', () => {
  it('has batches of at most ten messages', () => {
    expect(resolved(mapping.Properties['EventSourceArn'])).toEqual(arnOf(queue));
    expect(mapping.Properties).toMatchObject({ FunctionName: refTo(store), BatchSize: 10 });
  });

  it('retries only the failed messages of a batch', () => {
    expect(mapping.Properties).toMatchObject({ FunctionResponseTypes: ['ReportBatchItemFailures'] });
  });

  it('limits the concurrency on the mapping, so that waiting does not count as a try', () => {
    expect(mapping.Properties).toMatchObject({ ScalingConfig: { MaximumConcurrency: 50 } });
  });

  it('is enabled at deployment time', () => {
    expect(mapping.Properties).not.toMatchObject({ Enabled: false });
  });

  it('is the only consumer of the queue', () => {
    const mappings = resourcesOf(service, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => JSON.stringify(resolved(Properties['EventSourceArn'])) === JSON.stringify(arnOf(queue)),
    );
    expect(mappings.map(({ id }) => id)).toEqual([mapping.id]);
  });
});
