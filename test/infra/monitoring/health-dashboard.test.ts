import { describe, expect, it } from 'vitest';
import {
  countMeanings,
  durationMeanings,
  environmentDimension,
  measureMeanings,
  metricsNamespace,
} from '#shared/lambda/metrics.ts';
import { deployedResources } from '#test/infra/deployed-resources.ts';
import { deployedEnvironment } from '#test/infra/deployed-stack.ts';
import { trialResources } from '#test/infra/shared-trial-apps.ts';
import { dashboardWidgets } from '#test/infra/stacks/dashboard-widgets.ts';

const widgets = dashboardWidgets(deployedResources('service'));
const lines = widgets.flatMap(({ properties }) => properties.metrics);
const metrics = lines.filter(({ options }) => options.expression === undefined);
const alarmWidgets = widgets.filter(({ type }) => type === 'alarm');
const resources = [...deployedResources('data'), ...deployedResources('service')];
const ofType = (type: RegExp) => resources.filter(({ Type }) => type.test(Type));
const namesOf = (type: RegExp) => ofType(type).map(({ name }) => name);

/** What these services write by themselves, with the one dimension that identifies a resource. */
const serviceMetrics: Readonly<Record<string, { names: readonly string[]; dimension: string; type: RegExp }>> = {
  'AWS/SQS': {
    names: ['ApproximateNumberOfMessagesVisible', 'ApproximateAgeOfOldestMessage'],
    dimension: 'QueueName',
    type: /^AWS::SQS::Queue$/,
  },
  'AWS/Lambda': {
    names: ['Errors'],
    dimension: 'FunctionName',
    type: /^AWS::Lambda::Function$/,
  },
  'AWS/ApiGateway': { names: ['Count', '4xx', '5xx'], dimension: 'ApiId', type: /^AWS::ApiGatewayV2::Api$/ },
};

describe('the dashboard', () => {
  it('fits one screen of 24 columns and 20 rows', () => {
    expect(widgets.length).toBeGreaterThan(10);
    for (const { x, y, width, height } of widgets) {
      expect(x + width).toBeLessThanOrEqual(24);
      expect(y + height).toBeLessThanOrEqual(20);
    }
  });

  it('has the region in its name, which is unique in all regions of the account', () => {
    const [dashboard] = ofType(/Dashboard$/);
    expect(dashboard?.Properties['DashboardName']).toContain('<AWS::Region>');
  });

  it.each([
    ['an unknown region', {}, 'console.aws.amazon.com'],
    ['eu-central-1', { region: 'eu-central-1' }, 'console.aws.amazon.com'],
    ['us-gov-west-1', { region: 'us-gov-west-1' }, 'console.amazonaws-us-gov.com'],
    ['cn-north-1', { region: 'cn-north-1' }, 'console.amazonaws.cn'],
  ])('is in the console of the partition: %s', (_, settings, domain) => {
    const url = trialResources(settings).outputs['DashboardUrl'];
    expect(url).toMatch(new RegExp(`^https://<AWS::Region>\\.${RegExp.escape(domain)}/cloudwatch/home\\?region=`));
  });

  it('shows no two widgets in one place', () => {
    const cells = widgets.flatMap(({ x, y, width, height }) =>
      Array.from({ length: width * height }, (_, cell) => `${x + (cell % width)},${y + Math.floor(cell / width)}`),
    );
    expect(cells).toHaveLength(new Set(cells).size);
  });

  it('begins with one alarm that is on while any notifying alarm is on', () => {
    const [first, ...others] = alarmWidgets;
    const any = ofType(/CompositeAlarm$/).find(({ Properties }) => Properties['AlarmActions'] === undefined);
    expect(first).toMatchObject({ x: 0, y: 0, properties: { alarms: [any?.name] } });
    const named = [...String(any?.Properties['AlarmRule']).matchAll(/ALARM\("<([^<>.]+)\.Arn>"\)/g)].map(
      ([, name]) => name,
    );
    expect(named.toSorted()).toEqual(others.flatMap(({ properties }) => properties.alarms).toSorted());
    // CloudWatch takes a rule of 10,240 characters. An ARN has up to 130.
    expect(named.length * 150).toBeLessThan(10_240);
  });

  it('shows each alarm that notifies, and no other', () => {
    const notifying = ofType(/Alarm$/).filter(({ Properties }) => Properties['AlarmActions'] !== undefined);
    const shown = alarmWidgets[1]?.properties.alarms ?? [];
    expect(shown.toSorted()).toEqual(notifying.map(({ name }) => name).toSorted());
    // CloudWatch takes no more in one widget.
    expect(shown.length).toBeLessThanOrEqual(100);
  });

  it('has a line for each queue of the stacks but that of key events', () => {
    const shown = new Set(metrics.map(({ dimensions }) => dimensions['QueueName']));
    // Its alarm shows what it holds: the dashboard has no metric to spare.
    expect(namesOf(/^AWS::SQS::Queue$/).filter((name) => !shown.has(name))).toEqual(['KeyEvents']);
  });

  it('sums the errors of each function', () => {
    const errors = metrics.filter(({ name }) => name === 'Errors');
    const functions = errors.map(({ dimensions }) => dimensions['FunctionName']);
    expect(functions.toSorted()).toEqual(namesOf(/^AWS::Lambda::Function$/).toSorted());
    expect(errors.every(({ options }) => options.visible === false)).toBe(true);
    const expressions = lines.flatMap(({ options }) => options.expression ?? []);
    const ids = errors.map(({ options }) => options['id']).join(', ');
    expect(expressions).toEqual([`SUM([${ids}])`]);
  });

  it('has at most 50 metrics, since AWS then gives three dashboards for free', () => {
    expect(metrics.length).toBeLessThanOrEqual(50);
  });

  it('shows Drawbridge metrics by the dimension and the statistic of the reference', () => {
    const ours = metrics.filter(({ namespace }) => namespace === metricsNamespace);
    expect(ours.length).toBeGreaterThan(20);
    for (const { name, dimensions, options } of ours) {
      expect(dimensions).toEqual({ [environmentDimension]: deployedEnvironment() });
      if (name in durationMeanings) expect(options.stat).toMatch(/^p\d+$/);
      else {
        expect({ ...countMeanings, ...measureMeanings }).toHaveProperty(name);
        expect(options.stat).toBe(name in countMeanings ? 'Sum' : 'Maximum');
      }
    }
  });

  it('shows metrics of AWS that the service writes for a resource of the stacks', () => {
    const ofServices = metrics.filter(({ namespace }) => namespace !== metricsNamespace);
    expect(new Set(ofServices.map(({ namespace }) => namespace))).toEqual(new Set(Object.keys(serviceMetrics)));
    for (const { namespace, name, dimensions } of ofServices) {
      const known = serviceMetrics[namespace];
      expect(known?.names).toContain(name);
      expect(Object.keys(dimensions)).toEqual([known?.dimension]);
      expect(namesOf(known?.type ?? /none/)).toContain(dimensions[known?.dimension ?? '']);
    }
  });
});
