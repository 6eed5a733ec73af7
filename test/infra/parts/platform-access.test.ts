import { App, Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { DataStack } from '#infra/data-stack.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { PlatformAccess } from '#infra/parts/platform-access.ts';
import { type PlatformProfile, platformProfile } from '#shared/platform/profile/profile.ts';
import { createOutputDirectory, trialPlatform } from '#test/infra/trial-app.ts';

/** A stack with one function, which may call the platform. */
function withCaller(settings: { readonly platformProfile?: PlatformProfile } = {}): Template {
  const app = new App({
    analyticsReporting: false,
    outdir: createOutputDirectory(),
    context: { '@aws-cdk/core:defaultCrossStackReferences': 'strong' },
  });
  const stack = new Stack(app, 'service');
  const data = new DataStack(app, 'data', {
    environment: { name: 'trial', settings: { eventRetentionDays: 30 } },
  });
  const caller = new DrawbridgeFunction(stack, 'Caller', {
    data,
    description: 'Calls the platform',
    entry: 'functions/webhook-ingest/store/lambda.ts',
    environment: { OTHER: 'variable' },
    memorySize: 512,
    timeout: Duration.seconds(30),
    logRetention: 30,
    onFailure: 'The test only checks the template.',
  });
  const tokenRefreshes = new Queue(stack, 'Refreshes', { fifo: true });
  const platform = trialPlatform;
  new PlatformAccess({ settings: { platform, ...settings }, data, tokenRefreshes }).grant(caller);
  return Template.fromStack(stack);
}

const imported = (part: string) => ({ 'Fn::ImportValue': Match.stringLikeRegexp(part) });
const queue = (attribute?: string) =>
  attribute === undefined
    ? { Ref: Match.stringLikeRegexp('^Refreshes') }
    : { 'Fn::GetAtt': [Match.stringLikeRegexp('^Refreshes'), attribute] };

describe('the platform access of a function', () => {
  it('adds the variables of the platform, the token and the refresher to the environment', () => {
    withCaller().hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          ENVIRONMENT: 'trial',
          OTHER: 'variable',
          PLATFORM_BASE_URL: trialPlatform.baseUrl,
          PLATFORM_TOKEN_SECRET_ID: imported('PlatformToken'),
          TOKEN_REFRESHES_QUEUE_URL: queue(),
        },
      },
    });
  });

  it('adds the platform profile when the environment has one', () => {
    withCaller({
      platformProfile: platformProfile.parse({ eventTypes: ['PROXY_NOTIFICATION'] }),
    }).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { OTHER: 'variable', PLATFORM_PROFILE: Match.stringLikeRegexp('PROXY') } },
    });
  });

  it('allows to read the token and report a rejected one, and nothing else', () => {
    const policies = withCaller().findResources('AWS::IAM::Policy', {
      Properties: { Roles: [{ Ref: Match.stringLikeRegexp('^Caller') }] },
    });
    const text = JSON.stringify(policies);
    expect(text.match(/"(secretsmanager|sqs|kms|dynamodb):\w+"/g)?.toSorted()).toEqual([
      '"kms:Decrypt"',
      '"kms:GenerateDataKey"',
      '"secretsmanager:GetSecretValue"',
      '"sqs:SendMessage"',
    ]);
    expect(text).not.toContain('PlatformCredentials');
    expect(text).not.toContain('WebhookSecret');
    withCaller().hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Action: 'secretsmanager:GetSecretValue', Resource: imported('PlatformToken') }),
          Match.objectLike({ Action: 'sqs:SendMessage', Resource: queue('Arn') }),
        ]),
      },
    });
  });
});
