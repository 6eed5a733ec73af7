import { GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { type Deployment, settingsNameOf } from '#cli/deployment/deployment.ts';
import { environmentDimension, type MeasureName, metricsNamespace } from '#shared/lambda/metrics.ts';
import type { TokenState } from './token-state.ts';

/** How old the platform token is, and how long it lives, as far as that is known without reading it. */
export type TokenLife = {
  readonly ageSeconds: number | null;
  /** To the minute. Null if Refresh has not measured this token in the last 15 minutes. */
  readonly expiresOn: string | null;
};

const metric: MeasureName = 'TokenSecondsLeft';

/** In seconds: what CloudWatch sums up, and how far back. Refresh measures every five minutes. */
const period = 60;
const within = 900;

/** Takes the expiry from the metric that Refresh writes. @param now by the clock of the deployment */
export async function readTokenLife(
  { environment, clients }: Pick<Deployment, 'environment' | 'clients'>,
  { hasToken, storedOn }: TokenState,
  now: Date,
): Promise<TokenLife> {
  if (!hasToken || storedOn === undefined) return { ageSeconds: null, expiresOn: null };
  const Dimensions = [{ Name: environmentDimension, Value: settingsNameOf(environment) }];
  const { MetricDataResults = [] } = await clients.cloudWatch.send(
    new GetMetricDataCommand({
      StartTime: new Date(now.getTime() - within * 1_000),
      // The metric of the current minute counts.
      EndTime: new Date(now.getTime() + period * 1_000),
      ScanBy: 'TimestampDescending',
      MetricDataQueries: [
        {
          Id: 'left',
          MetricStat: {
            Metric: { Namespace: metricsNamespace, MetricName: metric, Dimensions },
            Period: period,
            Stat: 'Maximum',
          },
        },
      ],
    }),
  );
  const [{ Timestamps: [at] = [], Values: [left] = [] } = {}] = MetricDataResults;
  const stored = Date.parse(storedOn);
  // An earlier minute is about an earlier token.
  const isOfToken = at !== undefined && at.getTime() + period * 1_000 > stored;
  return {
    ageSeconds: Math.max(0, Math.round((now.getTime() - stored) / 1_000)),
    expiresOn: isOfToken && left !== undefined ? new Date(at.getTime() + left * 1_000).toISOString() : null,
  };
}
