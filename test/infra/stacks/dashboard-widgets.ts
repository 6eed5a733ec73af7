import * as z from 'zod';
import type { ReadableResource } from './readable-stack.ts';

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

/** The widgets of the dashboard of a service stack. Each reference is the name of the resource. */
export function dashboardWidgets(service: readonly ReadableResource[]): readonly DashboardWidget[] {
  const dashboard = service.find(({ Type }) => Type === 'AWS::CloudWatch::Dashboard');
  const body = String(dashboard?.Properties['DashboardBody']).replaceAll(/<([^<>.]+)(?:\.\w+)?>/g, '$1');
  return z.object({ widgets: z.array(widget) }).parse(JSON.parse(body)).widgets;
}
