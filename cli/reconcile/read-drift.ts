import type { Deployment } from '#cli/deployment/deployment.ts';
import { ownMetric, readValues, totalOf } from '#cli/status/metric-query.ts';

/** In milliseconds. */
const day = 24 * 60 * 60_000;

/** Entities that differed from the platform, and those that Store repaired. Null if no run of the last day wrote the metric. */
export type Drift = { readonly found: number | null; readonly repaired: number | null };

/** The drift of the last day. @param now by the clock of the deployment @throws what CloudWatch answers with */
export async function readDrift(
  { environment, clients }: Pick<Deployment, 'environment' | 'clients'>,
  now: Date,
): Promise<Drift> {
  const valuesOf = await readValues(
    clients,
    [
      ownMetric('found', environment, { metric: 'DriftFound', statistic: 'Sum' }),
      ownMetric('repaired', environment, { metric: 'DriftRepaired', statistic: 'Sum' }),
    ],
    { from: now.getTime() - day, until: now.getTime() },
  );
  const [found, repaired] = [totalOf(valuesOf('found')), totalOf(valuesOf('repaired'))];
  // Store writes its metric only for a repair, and a run of Reconcile writes 0 too.
  return { found, repaired: found === null ? repaired : (repaired ?? 0) };
}
