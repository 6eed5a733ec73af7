/** The CloudWatch namespace of all metrics of ours. They have no dimensions: an environment is an account. */
export const metricsNamespace = 'Drawbridge';

export type MetricName = 'EventsStored' | 'DuplicateDeliveries' | 'EventsQuarantined';

export type Metrics = {
  readonly count: (name: MetricName) => void;
  /** Writes what was counted since the last time. */
  readonly flush: () => void;
};

export type MetricsDeps = {
  /** Takes one line, its end included. */
  readonly write: (line: string) => void;
  readonly now: () => Date;
};

/**
 * Counts, and writes the counts as a log line in CloudWatch's embedded metric format: no call, and nothing to wait for.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetrics({ write, now }: MetricsDeps): Metrics {
  const counts = new Map<MetricName, number>();

  function flush(): void {
    if (counts.size === 0) return;
    const Metrics = [...counts.keys()].map((Name) => ({ Name, Unit: 'Count' }));
    const CloudWatchMetrics = [{ Namespace: metricsNamespace, Dimensions: [[]], Metrics }];
    const _aws = { Timestamp: now().getTime(), CloudWatchMetrics };
    write(`${JSON.stringify({ _aws, ...Object.fromEntries(counts) })}\n`);
    counts.clear();
  }

  return { flush, count: (name) => counts.set(name, (counts.get(name) ?? 0) + 1) };
}
