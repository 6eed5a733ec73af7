import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createTrialApp } from '#test/infra/trial-app.ts';

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/1f0c';
const ownershipCertificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/2e1d';
const mutualTls = { truststore: 's3://ours/platform/truststore.pem', truststoreVersion: 'v7', ownershipCertificateArn };

function synthesize(webhookDomain: object, more: Readonly<Record<string, unknown>> = {}): Template {
  const domain = { name: 'webhooks.trial.example', certificateArn, ...webhookDomain };
  return Template.fromStack(createTrialApp({ webhookDomain: domain, ...more }).service);
}

const apiOf = z.object({ Properties: z.object({ ApiId: z.object({ Ref: z.string() }), RouteKey: z.unknown() }) });

describe('a domain for the webhooks', () => {
  const template = synthesize({ mutualTls });
  const [webhooksApi = ''] = Object.keys(
    template.findResources('AWS::ApiGatewayV2::Api', { Properties: { DisableExecuteApiEndpoint: true } }),
  );
  const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map((one) => apiOf.parse(one));

  it('leads to an API that only has the webhook route, and no other address', () => {
    expect(webhooksApi).not.toBe('');
    const served = routes.filter(({ Properties }) => Properties.ApiId.Ref === webhooksApi);
    expect(served.map(({ Properties }) => JSON.stringify(Properties.RouteKey))).toEqual([
      expect.stringContaining('POST /webhooks/'),
    ]);
    template.hasResourceProperties('AWS::ApiGatewayV2::ApiMapping', {
      ApiId: { Ref: webhooksApi },
      DomainName: { Ref: Match.stringLikeRegexp('DomainName') },
      Stage: '$default',
    });
  });

  it("leaves the routes of the partner's own systems at the address of API Gateway", () => {
    const others = routes.filter(({ Properties }) => Properties.ApiId.Ref !== webhooksApi);
    expect(others.length).toBe(routes.length - 1);
    template.resourceCountIs('AWS::ApiGatewayV2::Api', 2);
    template.hasOutput('ApiUrl', { Value: { 'Fn::GetAtt': [others[0]?.Properties.ApiId.Ref, 'ApiEndpoint'] } });
  });

  it('trusts the client certificates of the truststore', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::DomainName', {
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
    });
  });

  it('is where the webhooks are registered, and an output of the stack', () => {
    const url = Match.objectLike({
      'Fn::Join': ['', Match.arrayWith(['https://webhooks.trial.example/webhooks/'])],
    });
    template.hasOutput('WebhooksUrl', { Value: url });
    template.hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables: { WEBHOOKS_URL: url } } });
  });

  it('has the target of its DNS record as an output', () => {
    for (const [output, attribute] of [
      ['WebhookDomainTarget', 'RegionalDomainName'],
      ['WebhookDomainZone', 'RegionalHostedZoneId'],
    ] as const)
      template.hasOutput(output, { Value: { 'Fn::GetAtt': [Match.stringLikeRegexp('DomainName'), attribute] } });
  });

  it('has the throttle of the webhooks, and the access log of the other API', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      ApiId: { Ref: webhooksApi },
      DefaultRouteSettings: { ThrottlingRateLimit: 2_000, ThrottlingBurstLimit: 4_000 },
      AccessLogSettings: { DestinationArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('AccessLogs'), 'Arn'] } },
    });
    expect(
      Object.keys(template.findResources('AWS::Logs::LogGroup')).filter((id) => /AccessLogs/.test(id)),
    ).toHaveLength(1);
  });

  it('has its 5xx answers watched', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: '5xx',
      Dimensions: [{ Name: 'ApiId', Value: { Ref: webhooksApi } }],
    });
  });
});

describe('a domain for the webhooks without mutual TLS', () => {
  it('takes callers without a client certificate, and no version of a truststore', () => {
    synthesize({}).hasResourceProperties('AWS::ApiGatewayV2::DomainName', { MutualTlsAuthentication: Match.absent() });
    synthesize({ mutualTls: { truststore: 's3://ours/truststore.pem' } }).hasResourceProperties(
      'AWS::ApiGatewayV2::DomainName',
      { MutualTlsAuthentication: { TruststoreUri: 's3://ours/truststore.pem', TruststoreVersion: Match.absent() } },
    );
  });
});

describe('a proxy in front of the domain', () => {
  it('is where the webhooks are registered', () => {
    const template = synthesize({}, { webhooksUrl: 'https://proxy.trial.example/hooks' });
    template.hasOutput('WebhooksUrl', {
      Value: Match.objectLike({ 'Fn::Join': ['', Match.arrayWith(['https://proxy.trial.example/hooks/'])] }),
    });
  });
});
