import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { ownMetric } from '#cli/status/metric-query.ts';

/** In milliseconds. */
const day = 24 * 60 * 60_000;

/** Entities that differed from the platform, and those that Store repaired. Null if no run of the last day wrote the metric. */
export type Drift = { readonly found: number | null; readonly repaired: number | null };

/** The drift of the last day. @param now by the clock of the deployment @throws what CloudWatch answers with */
export async function readDrift(
  { environment, clients }: Pick<Deployment, 'environment' | 'clients'>,
  now: Date,
): Promise<Drift> {
  const { MetricDataResults = [] } = await clients.cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(now.getTime() - day),
      EndTime: now,
      MetricDataQueries: [
        ownMetric('found', environment, { metric: 'DriftFound', statistic: 'Sum' }),
        ownMetric('repaired', environment, { metric: 'DriftRepaired', statistic: 'Sum' }),
      ],
    }),
  );
  const sumOf = (id: string) => {
    const values = MetricDataResults.find(({ Id }) => Id === id)?.Values ?? [];
    return values.length === 0 ? null : values.reduce((one, other) => one + other, 0);
  };
  const [found, repaired] = [sumOf('found'), sumOf('repaired')];
  // Store writes its metric only for a repair, and a run of Reconcile writes 0 too.
  return { found, repaired: found === null ? repaired : (repaired ?? 0) };
}
