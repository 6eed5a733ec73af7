import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { expectProperties } from '#test/infra/deployed-resources.ts';
import { trialResources } from '#test/infra/shared-trial-apps.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/1f0c';
const ownershipCertificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/2e1d';
const mutualTls = { truststore: 's3://ours/platform/truststore.pem', truststoreVersion: 'v7', ownershipCertificateArn };

const synthesize = (more: object, others: Readonly<Record<string, unknown>> = {}) =>
  trialResources({ webhookDomain: { name: 'webhooks.trial.example', certificateArn, ...more }, ...others });

const api = 'WebhookIngest/WebhookDomain/WebhooksApi';
const domainName = 'WebhookIngest/WebhookDomain/DomainName';

const metricQuery = z.looseObject({ Id: z.string(), MetricStat: z.optional(z.unknown()) });

describe('a domain for the webhooks', () => {
  const { service, outputs } = synthesize({ mutualTls });
  const routes = service.filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);

  it("has only the webhook route, and leaves those of the partner's own systems at the address of API Gateway", () => {
    const [served, others] = [true, false].map((isServed) =>
      routes.filter(({ ApiId }) => (ApiId === `<${api}>`) === isServed),
    );
    expect(served).toMatchObject([{ RouteKey: expect.stringContaining('POST /webhooks/') }]);
    expect(new Set(others?.map(({ ApiId }) => ApiId))).toEqual(new Set(['<WebhookIngest/Api>']));
    expect(others?.length).toBeGreaterThan(10);
  });

  it.each([
    ['answers at no other address', api, { DisableExecuteApiEndpoint: true }],
    [
      'leads to the API',
      'WebhookIngest/WebhookDomain/Mapping',
      { ApiId: `<${api}>`, DomainName: `<${domainName}>`, Stage: '$default' },
    ],
    [
      'trusts the client certificates of the truststore',
      domainName,
      {
        DomainName: 'webhooks.trial.example',
        DomainNameConfigurations: [
          {
            CertificateArn: certificateArn,
            EndpointType: 'REGIONAL',
            OwnershipVerificationCertificateArn: ownershipCertificateArn,
            SecurityPolicy: 'TLS_1_2',
          },
        ],
        MutualTlsAuthentication: { TruststoreUri: 's3://ours/platform/truststore.pem', TruststoreVersion: 'v7' },
      },
    ],
    [
      'has the throttle of the webhooks, and the access log of the other API',
      'WebhookIngest/WebhookDomain/Stage',
      {
        'DefaultRouteSettings.ThrottlingRateLimit': 2_000,
        'DefaultRouteSettings.ThrottlingBurstLimit': 4_000,
        'AccessLogSettings.DestinationArn': '<WebhookIngest/InfrequentAccessLogs.Arn>',
      },
    ],
    [
      'is where the webhooks are registered',
      'WebhookIngest/Register',
      { 'Environment.Variables.WEBHOOKS_URL': expect.stringMatching('^https://webhooks.trial.example/webhooks/') },
    ],
  ])('%s', (_, of, has) => {
    expectProperties(service, of, has);
  });

  it("shares the alarm on 5xx answers with the API of the partner's own systems", () => {
    const [alarm] = service.filter(({ name }) => name === 'Alarms/WebhooksRefusedByUs');
    const [sum, ...summed] = z.array(metricQuery).parse(alarm?.Properties['Metrics']);
    expect(sum).toMatchObject({ Expression: `SUM([${summed.map(({ Id }) => Id).join(', ')}])` });
    expect(summed.map(({ MetricStat }) => MetricStat)).toEqual(
      [api, 'WebhookIngest/Api'].map((of) => ({
        Metric: { Namespace: 'AWS/ApiGateway', MetricName: '5xx', Dimensions: [{ Name: 'ApiId', Value: `<${of}>` }] },
        Period: 300,
        Stat: 'Sum',
      })),
    );
  });

  it('is an output of the stack, with the id of the stack, and with the target of its DNS record', () => {
    expect(outputs).toMatchObject({
      ApiUrl: '<WebhookIngest/Api.ApiEndpoint>',
      WebhooksUrl: 'https://webhooks.trial.example/webhooks/<part 2 of <AWS::StackId>>',
      WebhookDomainTarget: `<${domainName}.RegionalDomainName>`,
      WebhookDomainZone: `<${domainName}.RegionalHostedZoneId>`,
    });
  });

  it.each([
    ['no client certificate', {}, undefined],
    [
      'any version of a truststore',
      { mutualTls: { truststore: 's3://ours/t.pem' } },
      { TruststoreUri: 's3://ours/t.pem' },
    ],
  ])('asks for %s without the setting', (_, more, MutualTlsAuthentication) => {
    expectProperties(synthesize(more).service, domainName, { MutualTlsAuthentication });
  });

  it('can have a proxy in front, where the webhooks are then registered', () => {
    const { outputs: ofProxy } = synthesize({}, { webhooksUrl: 'https://proxy.trial.example/hooks' });
    expect(ofProxy['WebhooksUrl']).toMatch('https://proxy.trial.example/hooks/');
  });
});
