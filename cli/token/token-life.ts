import type { Deployment } from '#cli/deployment/deployment.ts';
import { afterMinuteOf, metricPeriod, ownMetric, readValues } from '#cli/status/metric-query.ts';
import type { TokenState } from './token-state.ts';

/** How old the platform token is, and how long it lives, as far as that is known without reading it. */
export type TokenLife = {
  readonly ageSeconds: number | null;
  /** To the minute. Null if Refresh has not measured this token in the last 15 minutes. */
  readonly expiresOn: string | null;
};

/** In milliseconds: how far back. Refresh measures every five minutes. */
const within = 900_000;

/** Takes the expiry from the metric that Refresh writes. @param now by the clock of the deployment */
export async function readTokenLife(
  { environment, clients }: Pick<Deployment, 'environment' | 'clients'>,
  { hasToken, storedOn }: TokenState,
  now: Date,
): Promise<TokenLife> {
  if (!hasToken || storedOn === undefined) return { ageSeconds: null, expiresOn: null };
  const valuesOf = await readValues(
    clients,
    [ownMetric('left', environment, { metric: 'TokenSecondsLeft', statistic: 'Maximum' })],
    { from: now.getTime() - within, until: afterMinuteOf(now) },
  );
  const [latest] = valuesOf('left');
  const stored = Date.parse(storedOn);
  // An earlier minute is about an earlier token.
  const isOfToken = latest !== undefined && latest.at + metricPeriod * 1_000 > stored;
  return {
    ageSeconds: Math.max(0, Math.round((now.getTime() - stored) / 1_000)),
    expiresOn: isOfToken ? new Date(latest.at + latest.value * 1_000).toISOString() : null,
  };
}
