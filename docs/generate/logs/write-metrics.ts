import { writeTable } from '#docs/generate/write-table.ts';
import type { ServiceStack } from '#infra/service-stack.ts';
import {
  callCountMeanings,
  countMeanings,
  durationMeanings,
  environmentDimension,
  measureMeanings,
  memoryMeanings,
  metricsNamespace,
  versionCountMeanings,
} from '#shared/lambda/metrics.ts';

/** The metrics that functions write, and the alarms on them. */
export function writeMetrics(service: ServiceStack): string {
  const alarms = [...service.alarms.declared].map(([alarm, { metric }]) => {
    const { metricStat } = metric.toMetricConfig();
    return { alarm, metric: metricStat?.namespace === metricsNamespace ? metricStat.metricName : undefined };
  });
  const table = (metrics: Readonly<Record<string, string>>) => {
    const rows = Object.entries(metrics).map(([name, meaning]) => {
      const links = alarms
        .filter(({ metric }) => metric === name)
        .map(({ alarm }) => `[${alarm}](../reference/alarms.md#${alarm.toLowerCase()})`);
      return [`\`${name}\``, meaning, links.join(', ') || '–'];
    });
    return writeTable(['metric', 'meaning', 'alarm'], rows);
  };
  return `${[
    preface,
    '## Counts',
    'Statistic: sum.',
    table({ ...countMeanings, ...callCountMeanings, ...versionCountMeanings }),
    '## Measures',
    'Statistic: maximum. The latest value of an invocation counts.',
    table({ ...measureMeanings, ...memoryMeanings }),
    '## Durations',
    'Statistic: a percentile, such as p99. Every value of an invocation counts.',
    table(durationMeanings),
  ].join('\n\n')}\n`;
}

const preface = `# Metrics

*For operators who build dashboards.* The functions write these metrics to the CloudWatch namespace \`${metricsNamespace}\`.
Their dimension is \`${environmentDimension}\`, the name of the environment. Metrics of Lambda, SQS and API Gateway come on top.`;
