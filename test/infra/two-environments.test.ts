import { describe, expect, it } from 'vitest';
import { executionPolicy } from '#cli/policy/deployment/execution-policy.ts';
import { isAllowed } from '#test/cli/policy/is-allowed.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';
import { resourcesOfApp } from '#test/infra/stacks/trial-apps.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { createTrialAppOf } from './shared-trial-apps.ts';

/** A name of these types need not be unique in an account: an inline policy belongs to its role. */
const namesMayRepeat = new Set(['AWS::ApiGatewayV2::Api', 'AWS::ApiGatewayV2::Stage', 'AWS::IAM::Policy']);

/** CloudFormation generates the names of what a template only refers to. */
const isReference = (value: unknown) => /^<[^<>]*>$/.test(String(value));

/** Each name that a template chooses itself, with the type of the resource. */
const physicalNames = (resources: readonly ReadableResource[]) =>
  resources
    .filter(({ Type }) => !namesMayRepeat.has(Type))
    .flatMap(({ Type, Properties }) =>
      Object.entries(Properties)
        .filter(([property, value]) => /Name$/.test(property) && property !== 'MetricName' && typeof value === 'string')
        .filter(([, value]) => !isReference(value))
        .map(([property, value]) => `${Type} ${property} ${value}`),
    );

/** Each metric that an alarm watches by literal dimensions. One of a resource differs with the resource. */
const watchedMetrics = (resources: readonly ReadableResource[]) =>
  resources
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .map(({ Properties: { Namespace, MetricName, Dimensions } }) => JSON.stringify([Namespace, MetricName, Dimensions]))
    .filter((metric) => !metric.includes('"Value":"<'));

const functionEnvironments = (resources: readonly ReadableResource[]) =>
  resources
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ Properties }) => /"ENVIRONMENT":"\w+"/.exec(JSON.stringify(Properties['Environment']))?.[0] ?? 'none');

describe('an environment beside another in one account', () => {
  const [first, second] = ['first', 'second'].map((environment) => {
    const app = createTrialAppOf(environment);
    const { data, service } = resourcesOfApp(app);
    const templates = JSON.stringify(app.app.synth().stacks.map(({ template }): unknown => template));
    return {
      resources: [...data, ...service],
      stacks: [app.data.stackName, app.service.stackName],
      exports: [...templates.matchAll(/"Export":\{"Name":"([^"]+)"/g)].map(([, name = '']) => name),
    };
  });
  if (first === undefined || second === undefined) throw new Error('There are two environments.');

  it.each([
    ['physical name of a resource', physicalNames(first.resources), physicalNames(second.resources)],
    ['metric that an alarm watches', watchedMetrics(first.resources), watchedMetrics(second.resources)],
    ['environment of a function', functionEnvironments(first.resources), functionEnvironments(second.resources)],
    ['name of a stack', first.stacks, second.stacks],
    ['export of a stack', first.exports, second.exports],
  ])('shares no %s', (_, ofFirst, ofSecond) => {
    expect(ofFirst.length).toBeGreaterThan(1);
    expect(ofFirst.filter((one) => ofSecond.includes(one))).toEqual([]);
  });
});

describe('the longest name of an environment', () => {
  const environment = 'e'.padEnd(31, 'x');
  const { data, service } = resourcesOfApp(
    createTrialAppOf(environment, { ...everySetting, backup: { retentionDays: 40 } }),
  );

  /** The most that AWS takes, in characters, and the call that creates the resource, if the policy of CloudFormation names it. */
  const limits: Readonly<Record<string, readonly [max: number, action?: string, before?: string]>> = {
    'AWS::Backup::BackupVault BackupVaultName': [50],
    'AWS::CloudWatch::Alarm AlarmName': [255, 'cloudwatch:PutMetricAlarm', 'cloudwatch:us-east-1:111122223333:alarm:'],
    'AWS::CloudWatch::CompositeAlarm AlarmName': [
      255,
      'cloudwatch:PutCompositeAlarm',
      'cloudwatch:us-east-1:111122223333:alarm:',
    ],
    'AWS::CloudWatch::Dashboard DashboardName': [255],
    'AWS::Events::EventBus Name': [256, 'events:CreateEventBus', 'events:us-east-1:111122223333:event-bus/'],
    'AWS::Events::Rule Name': [64, 'events:PutRule', `events:us-east-1:111122223333:rule/drawbridge-${environment}/`],
    'AWS::KMS::Alias AliasName': [256, 'kms:CreateAlias', 'kms:us-east-1:111122223333:'],
    'AWS::Logs::LogGroup LogGroupName': [512, 'logs:CreateLogGroup', 'logs:us-east-1:111122223333:log-group:'],
    'AWS::Logs::QueryDefinition Name': [255],
  };
  const chosen = Object.entries({ data, service }).flatMap(([stack, resources]) =>
    resources.flatMap(({ Type, Properties }) =>
      Object.entries(Properties).flatMap(([property, name]) =>
        typeof name === 'string' && name.includes(environment) && /Name$/.test(property)
          ? [{ stack, of: `${Type} ${property}`, name }]
          : [],
      ),
    ),
  );

  it('is in the name of each of these resources, and in no other', () => {
    expect([...new Set(chosen.map(({ of }) => of))].toSorted()).toEqual(Object.keys(limits).toSorted());
  });

  it('leaves each name short enough for AWS, and within the policies of CloudFormation', () => {
    const scope = { partition: 'aws', account: '111122223333', environment } as const;
    const policies = [executionPolicy('data', scope), executionPolicy('service', scope)];
    const faults = chosen.filter(({ of, name }) => {
      const [max = 0, action, before] = limits[of] ?? [];
      const isCovered =
        action === undefined || isAllowed({ action, resource: `arn:aws:${before}${name}`, context: {} }, policies);
      return name.length > max || !isCovered;
    });
    expect(faults).toEqual([]);
  });
});
