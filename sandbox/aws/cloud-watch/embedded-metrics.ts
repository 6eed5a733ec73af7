import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import type { MetricId } from './metric-store.ts';

const line = z.looseObject({
  _aws: z.object({
    Timestamp: z.number(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});
const values = z.union([z.number().transform((value) => [value]), z.array(z.number())]);

export type MetricValue = { readonly id: MetricId; readonly value: number; readonly at: number };

/** The values in a log line of the embedded metric format; none in any other line. */
export function metricsIn(logged: string): readonly MetricValue[] {
  if (!logged.includes('"CloudWatchMetrics"')) return [];
  const { data } = line.safeParse(parseJson(logged));
  if (data === undefined) return [];
  const { _aws, ...properties } = data;
  return _aws.CloudWatchMetrics.flatMap(({ Namespace: namespace, Dimensions, Metrics }) =>
    Dimensions.flatMap((names) => {
      const dimensions = Object.fromEntries(names.map((name) => [name, String(properties[name])]));
      return Metrics.flatMap(({ Name: name }) =>
        (values.safeParse(properties[name]).data ?? []).map((value) => ({
          id: { namespace, name, dimensions },
          value,
          at: _aws.Timestamp,
        })),
      );
    }),
  );
}
