import * as z from 'zod';
import { deployedStack, resolved, theResource } from '#test/infra/deployed-stack.ts';

const metricOptions = z.looseObject({
  label: z.string().optional(),
  stat: z.string().optional(),
  yAxis: z.string().optional(),
  visible: z.boolean().optional(),
  expression: z.string().optional(),
});

/** A line of a graph. A metric has a namespace, a name and dimensions; an expression has none. */
const line = z.array(z.union([z.string(), metricOptions])).transform((parts) => {
  const [namespace = '', name = '', ...dimensions] = parts.filter((part) => typeof part === 'string');
  const options = metricOptions.parse(parts.find((part) => typeof part !== 'string') ?? {});
  const pairs = dimensions.flatMap((dimension, index) =>
    index % 2 === 0 ? [[dimension, dimensions[index + 1] ?? ''] as const] : [],
  );
  return { namespace, name, dimensions: Object.fromEntries(pairs), options };
});

const widget = z.object({
  type: z.enum(['alarm', 'text', 'metric']),
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
  properties: z.looseObject({
    title: z.string().default(''),
    markdown: z.string().default(''),
    alarms: z.array(z.string()).default([]),
    metrics: z.array(line).default([]),
  }),
});

export type DashboardWidget = z.output<typeof widget>;

const join = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) });
const reference = z.union([
  z.object({ Ref: z.string() }).transform(({ Ref }) => Ref),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((value) => value['Fn::GetAtt'][0]),
]);

/** The widgets of the deployed dashboard. Each reference is the logical id of the resource. */
export function dashboardWidgets(): readonly DashboardWidget[] {
  const { Properties } = theResource(deployedStack('service'), 'AWS::CloudWatch::Dashboard');
  const { 'Fn::Join': parts } = join.parse(Properties['DashboardBody']);
  const text = parts[1].map((part) => (typeof part === 'string' ? part : reference.parse(resolved(part)))).join('');
  return z.object({ widgets: z.array(widget) }).parse(JSON.parse(text)).widgets;
}
