import { describe, expect, it } from 'vitest';
import type { ReadableResource } from '#tools/stacks/readable-stack.ts';
import { resourcesOfApp } from '#tools/stacks/trial-apps.ts';
import { createTrialAppOf } from './trial-app.ts';

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

describe('two environments in one account', () => {
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
  ])('share no %s', (_, ofFirst, ofSecond) => {
    expect(ofFirst.length).toBeGreaterThan(1);
    expect(ofFirst.filter((one) => ofSecond.includes(one))).toEqual([]);
  });
});
