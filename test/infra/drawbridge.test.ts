import { type Environment, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { describe, expect, it } from 'vitest';
import { BusSubscriptionError } from '#infra/bus-subscription.ts';
import { allowPlaceholders, Drawbridge } from '#infra/drawbridge.ts';
import { via } from '#infra/parts/use-key.ts';
import { settings } from '#infra/settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { trialPlatform, trialSettings } from '#test/infra/stacks/trial-apps.ts';
import { createPartnerApp, createTrialApp } from './shared-trial-apps.ts';

const props = { environmentName: 'trial', settings: trialSettings };

/** An app of a partner: Drawbridge, and a stack with a function and a queue. */
function partnerApp(values: Readonly<Record<string, unknown>> = {}) {
  const app = createPartnerApp();
  const drawbridge = new Drawbridge(app, 'Drawbridge', {
    ...props,
    settings: settings.parse({ ...trialSettings, ...values }),
  });
  const stack = new Stack(app, 'orders');
  const code = Code.fromInline('exports.handler = async () => undefined');
  const fn = new LambdaFunction(stack, 'Fn', { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', code });
  return { drawbridge, stack, fn, queue: new Queue(stack, 'Orders') };
}

const imported = (part: string) => ({ 'Fn::ImportValue': Match.stringLikeRegexp(part) });

/** The logical ids of what a stack has, without the permissions of rules: the CDK names these after the whole path of the rule. */
function idsOf(stack: Stack): readonly string[] {
  const template = Template.fromStack(stack);
  const permissions = Object.keys(template.findResources('AWS::Lambda::Permission'));
  return Object.keys(template.toJSON()['Resources']).filter((id) => !permissions.includes(id));
}

/** What the role of the partner's function may do. */
const permissionsOf = (stack: Stack) =>
  Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy')).flatMap(
    ({ Properties }) => Properties.PolicyDocument.Statement,
  );

describe('the construct in the app of a partner', () => {
  const templatesOf = ({ data, service }: Pick<Drawbridge, 'data' | 'service'>) => ({
    data: Template.fromStack(data).toJSON(),
    service: Template.fromStack(service).toJSON(),
  });
  const own = createTrialApp();
  const ownTemplates = templatesOf(own);

  const names = ['drawbridge-trial-data', 'drawbridge-trial-service'];

  it.each([
    ['in an app', () => createPartnerApp()],
    ['in a stack', () => new Stack(createPartnerApp(), 'partner')],
    ['in an app that sets every recommended feature flag', () => createPartnerApp(CURRENTLY_RECOMMENDED_FLAGS)],
  ])('has the stacks of our own app %s', (_, createScope) => {
    const drawbridge = new Drawbridge(createScope(), 'Drawbridge', props);
    expect([drawbridge.data.stackName, drawbridge.service.stackName]).toEqual(names);
    expect(templatesOf(drawbridge)).toEqual(ownTemplates);
  });

  it('keeps its names and everything but the permissions of rules inside of a stage', () => {
    const drawbridge = new Drawbridge(new Stage(createPartnerApp(), 'Live'), 'Drawbridge', props);
    expect([drawbridge.data.stackName, drawbridge.service.stackName]).toEqual(names);
    for (const [stack, ownStack] of [
      [drawbridge.data, own.data],
      [drawbridge.service, own.service],
    ] as const)
      expect(idsOf(stack)).toEqual(idsOf(ownStack));
  });

  it.each<[string, { readonly around?: Environment; readonly env?: Environment }]>([
    ['the stack around it', { around: { account: '111122223333', region: 'eu-west-1' } }],
    ['its props', { env: { account: '111122223333', region: 'eu-west-1' } }],
  ])('is deployed to the account and region of %s', (_, { around, env }) => {
    const scope = new Stack(createPartnerApp(), 'partner', around && { env: around });
    const { data, service } = new Drawbridge(scope, 'Drawbridge', { ...props, ...(env && { env }) });
    for (const { account, region } of [data, service]) expect([account, region]).toEqual(['111122223333', 'eu-west-1']);
  });

  it('is of the environment production unless another is named', () => {
    const { data } = new Drawbridge(createPartnerApp(), 'Drawbridge', { settings: props.settings });
    expect(data.stackName).toBe('drawbridge-production-data');
  });

  it.each([
    [
      'a wrong setting',
      { settings: { ...props.settings, eventRetentionDays: 2 } },
      /The settings of Drawbridge are invalid:\n.*eventRetentionDays/,
    ],
    [
      'a setting that has a stand-in',
      { settings: { platform: trialPlatform } },
      /The construct of Drawbridge is not ready to deploy:\n {2}- onboarding.requestor: /,
    ],
    [
      'an identity that is a placeholder',
      { settings: { ...props.settings, onboarding: { requestor: '00000000-0000-0000-0000-000000000000' } } },
      /not ready to deploy:\n {2}- onboarding.requestor: /,
    ],
    [
      'a name of which no stack name can be made',
      { ...props, environmentName: 'My Bank' },
      'is not the name of an environment',
    ],
  ])('refuses %s, and names it', (_, wrong, message) => {
    const create = () => new Drawbridge(createPartnerApp(), 'Drawbridge', wrong);
    expect(create).toThrow(SettingsError);
    expect(create).toThrow(message);
  });

  it('refuses placeholder addresses, unless the context of a test allows them', () => {
    const create = (context: Readonly<Record<string, unknown>>) => () =>
      new Drawbridge(createPartnerApp(context), 'Drawbridge', props);
    expect(create({ [allowPlaceholders]: false })).toThrow(/ {2}- platform.baseUrl: .* is a placeholder/);
    expect(create({})).not.toThrow();
  });

  it('warns that EventBridge needs an imported key, whose policy the CDK cannot change', () => {
    const app = createPartnerApp();
    const arn = 'arn:aws:kms:eu-central-1:111111111111:key/0f1c2d3e-0000-4000-8000-000000000001';
    const key = Key.fromKeyArn(new Stack(app, 'partner'), 'Key', arn);
    const { data } = new Drawbridge(app, 'Drawbridge', { ...props, key });
    const warning = Match.stringLikeRegexp(
      'imported: let events.amazonaws.com use kms:Decrypt and kms:GenerateDataKey',
    );
    Annotations.fromStack(data).hasWarning('*', warning);
    Annotations.fromStack(own.data).hasNoWarning('*', warning);
  });

  it('tags its own resources and no other ones', () => {
    const { stack } = partnerApp();
    expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toContain('drawbridge:environment');
    for (const template of Object.values(ownTemplates))
      expect(JSON.stringify(template)).toContain('{"Key":"drawbridge:environment","Value":"trial"}');
  });

  it('keeps its resources as they are when the stack of a partner uses everything', () => {
    const { drawbridge, fn, queue } = partnerApp();
    drawbridge.subscribe(queue, ['OrderStatusChanged']);
    drawbridge.grantPlatformAccess(fn);
    drawbridge.grantQuery(fn);
    drawbridge.grantOnboarding(fn);
    drawbridge.grantPersons(fn);
    drawbridge.bus.grantPutEventsTo(fn);
    const { data, service } = templatesOf(drawbridge);
    expect(data['Resources']).toEqual(ownTemplates.data['Resources']);
    expect(service['Resources']).toEqual(ownTemplates.service['Resources']);
  });
});

describe('subscribe', () => {
  it('hands the named events of the bus to the queue, once the bus is deployed', () => {
    const { drawbridge, stack, queue } = partnerApp();
    const { deadLetterQueue } = drawbridge.subscribe(queue, ['OrderStatusChanged']);
    expect(Stack.of(deadLetterQueue)).toBe(stack);
    Template.fromStack(stack).hasResourceProperties('AWS::Events::Rule', {
      EventBusName: 'drawbridge-trial',
      EventPattern: { 'detail-type': ['OrderStatusChanged'] },
      Targets: [Match.objectLike({ Arn: stack.resolve(queue.queueArn) })],
    });
    expect(stack.dependencies).toEqual([drawbridge.data]);
  });

  it('has the statuses of a kind published that did not become the shown ones, where a subscription names their event', () => {
    const { drawbridge, queue } = partnerApp();
    drawbridge.subscribe(queue, ['OrderStatusChanged', 'OrderStatusReported']);
    Template.fromStack(drawbridge.service).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ STATUS_REPORTS: '["order"]' }) },
    });
  });

  it('refuses a second subscription of a queue, which would deliver twice', () => {
    const { drawbridge, queue } = partnerApp();
    drawbridge.subscribe(queue, ['OrderStatusChanged']);
    expect(() => drawbridge.subscribe(queue, ['OrderUpdated'])).toThrow(BusSubscriptionError);
  });
});

describe('grantPlatformAccess', () => {
  it('allows to read the token and to report a rejected one, and nothing else', () => {
    const { drawbridge, stack, fn } = partnerApp();
    drawbridge.grantPlatformAccess(fn).assertSuccess();
    const token = expect.objectContaining({ 'Fn::ImportValue': expect.stringContaining('PlatformToken') });
    const reports = expect.objectContaining({ 'Fn::ImportValue': expect.stringContaining('TokenRefreshes') });
    const key = expect.objectContaining({ 'Fn::ImportValue': expect.stringMatching(/OutputFnGetAttKey.*Arn/) });
    expect(permissionsOf(stack)).toEqual([
      { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: token },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: reports },
      {
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: key,
        Condition: stack.resolve(via('sqs')),
      },
      { Effect: 'Allow', Action: 'kms:Decrypt', Resource: key, Condition: stack.resolve(via('secretsmanager')) },
    ]);
  });

  it('says in variables where platform, token and reports are', () => {
    const { drawbridge, stack, fn } = partnerApp({ platformProfile: { pageSize: 10 } });
    drawbridge.grantPlatformAccess(fn);
    Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: {
          PLATFORM_BASE_URL: trialPlatform.baseUrl,
          PLATFORM_TOKEN_SECRET_ID: imported('PlatformToken'),
          TOKEN_REFRESHES_QUEUE_URL: imported('TokenRefreshes'),
          PLATFORM_PROFILE: Match.serializedJson(Match.objectLike({ pageSize: 10 })),
        },
      },
    });
  });
});

describe('grantQuery', () => {
  it('allows to call the routes of the queries, whose address is a variable', () => {
    const { drawbridge, stack, fn } = partnerApp();
    drawbridge.grantQuery(fn).assertSuccess();
    const [statement, ...others] = permissionsOf(stack);
    expect(others).toEqual([]);
    expect(statement?.Action).toBe('execute-api:Invoke');
    const resources = JSON.stringify(statement?.Resource);
    expect(resources).toContain('/$default/GET/entities/*/*"');
    expect(resources).toContain('/$default/GET/events/*"');
    expect(resources).not.toMatch(/onboardings|persons|POST|PATCH|DELETE|webhooks/);
    Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { DRAWBRIDGE_API_URL: imported('ApiEndpoint') } },
    });
  });
});

describe('grantOnboarding', () => {
  it('allows to call the routes of onboardings, and to export and erase no person', () => {
    const { drawbridge, stack, fn } = partnerApp();
    drawbridge.grantOnboarding(fn).assertSuccess();
    const resources = JSON.stringify(permissionsOf(stack));
    for (const route of [
      'POST/onboardings',
      'GET/onboardings',
      'POST/onboardings/*/retry',
      'PATCH/onboardings/*/person',
    ])
      expect(resources).toContain(`/$default/${route}"`);
    expect(resources).not.toMatch(/persons|entities|events|webhooks|DELETE/);
  });
});

describe('grantPersons', () => {
  it('allows to export and to erase a person, and nothing else', () => {
    const { drawbridge, stack, fn } = partnerApp();
    drawbridge.grantPersons(fn).assertSuccess();
    const resources = JSON.stringify(permissionsOf(stack));
    for (const method of ['GET', 'DELETE']) expect(resources).toContain(`/$default/${method}/persons/*"`);
    expect(resources).not.toMatch(/onboardings|entities|events|webhooks|POST|PATCH/);
  });
});
