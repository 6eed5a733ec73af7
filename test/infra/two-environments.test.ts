import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createTrialAppOf } from './trial-app.ts';

const template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
  Outputs: z.record(z.string(), z.object({ Export: z.object({ Name: z.string() }).optional() })).default({}),
});

type Resource = z.infer<typeof template>['Resources'][string];

/** The stacks of an environment, as it shares an account with another one. */
function stacksOf(environment: string) {
  const { data, service } = createTrialAppOf(environment);
  const templates = [data, service].map((stack: Stack) => template.parse(Template.fromStack(stack).toJSON()));
  return {
    stackNames: [data.stackName, service.stackName],
    resources: templates.flatMap(({ Resources }) => Object.values(Resources)),
    exportNames: templates.flatMap(({ Outputs }) =>
      Object.values(Outputs).flatMap(({ Export }) => (Export === undefined ? [] : [Export.Name])),
    ),
  };
}

const metric = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
});

/** A metric by itself, or in an expression. */
const metrics = z.union([
  metric.transform((one) => [one]),
  z
    .object({ Metrics: z.array(z.object({ MetricStat: z.object({ Metric: metric }).optional() })) })
    .transform(({ Metrics }) =>
      Metrics.flatMap(({ MetricStat }) => (MetricStat === undefined ? [] : [MetricStat.Metric])),
    ),
]);

const metricsOf = (resources: readonly Resource[]) =>
  resources
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .flatMap(({ Properties }) => metrics.parse(Properties));

/** A name of these types need not be unique in an account: an inline policy belongs to its role. */
const namesMayRepeat: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::IAM::Policy',
]);

/** Each name that a template chooses itself, with the type of the resource. CloudFormation generates all others. */
const physicalNamesOf = (resources: readonly Resource[]) =>
  resources
    .filter(({ Type }) => !namesMayRepeat.has(Type))
    .flatMap(({ Type, Properties }) =>
      Object.entries(Properties)
        .filter(([property, value]) => /Name$/.test(property) && property !== 'MetricName' && typeof value === 'string')
        .map(([property, value]) => `${Type} ${property} ${value}`),
    );

describe('two environments in one account', () => {
  const [first, second] = [stacksOf('first'), stacksOf('second')];

  it('have the environment as the dimension of each metric of ours that an alarm watches', () => {
    const ours = metricsOf(first.resources).filter(({ Namespace }) => !Namespace.startsWith('AWS/'));
    expect(ours.length).toBeGreaterThan(0);
    for (const { MetricName, Dimensions } of ours)
      expect(Dimensions, MetricName).toEqual([{ Name: 'Environment', Value: 'first' }]);
  });

  it('give each function that writes metrics the environment that its alarms name', () => {
    const functions = first.resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(0);
    for (const { Properties } of functions)
      expect(Properties).toMatchObject({ Environment: { Variables: { ENVIRONMENT: 'first' } } });
  });

  it('watch no metric of each other', () => {
    // A reference, as to a queue, is to a resource of the same environment. Only literal values could be equal.
    const watched = (resources: readonly Resource[]) =>
      metricsOf(resources)
        .filter(({ Dimensions }) => Dimensions.every(({ Value }) => typeof Value === 'string'))
        .map((watchedMetric) => JSON.stringify(watchedMetric));
    const [ofFirst, ofSecond] = [watched(first.resources), new Set(watched(second.resources))];
    expect(ofSecond.size).toBeGreaterThan(0);
    expect(ofFirst.filter((one) => ofSecond.has(one))).toEqual([]);
  });

  it('share no physical name of a resource or a stack', () => {
    const [ofFirst, ofSecond] = [physicalNamesOf(first.resources), physicalNamesOf(second.resources)];
    expect(ofFirst).toContain('AWS::Events::EventBus Name drawbridge-first');
    expect(ofFirst.filter((name) => ofSecond.includes(name))).toEqual([]);
    expect(first.stackNames.filter((name) => second.stackNames.includes(name))).toEqual([]);
  });

  it('share no export of a stack', () => {
    expect(first.exportNames.length).toBeGreaterThan(0);
    expect(first.exportNames.filter((name) => second.exportNames.includes(name))).toEqual([]);
  });
});
