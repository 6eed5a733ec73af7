import type { Deployment } from '#cli/deployment/deployment.ts';
import type { CountName, MeasureName } from '#shared/lambda/metrics.ts';
import { afterMinuteOf, metricPeriod, ownMetric, readValues, totalOf } from './metric-query.ts';

/** A metric that `status` shows. */
export type Shown = {
  readonly metric: CountName | MeasureName;
  /** `Latest` is the value of the latest minute: an earlier one says nothing about now. */
  readonly statistic: 'Sum' | 'Latest';
  /** In seconds: how far back. */
  readonly within: number;
  /** What an operator calls it. */
  readonly title: string;
};

const hour = 3_600;

/** What `status` shows of the metrics. */
export const shownMetrics = [
  { metric: 'EventsStored', statistic: 'Sum', within: hour, title: 'events stored in the last hour' },
  { metric: 'DuplicateDeliveries', statistic: 'Sum', within: hour, title: 'duplicate deliveries in the last hour' },
  { metric: 'EntityChanges', statistic: 'Sum', within: hour, title: 'changes published in the last hour' },
  {
    metric: 'UndeliveredUnstored',
    statistic: 'Latest',
    within: hour / 4,
    title: 'undelivered, not stored yet',
  },
  {
    metric: 'UndeliveredNow',
    statistic: 'Latest',
    within: hour / 4,
    title: 'stored, to be marked by the next run',
  },
  { metric: 'DriftFound', statistic: 'Sum', within: 24 * hour, title: 'drift found in the last day' },
] as const satisfies readonly Shown[];

export type ShownMetric = (typeof shownMetrics)[number]['metric'];

/** In seconds: what is summed of a day has few values. */
const sumPeriod = 300;

/**
 * The metrics of the last hour or day, by name; null if none was written. Costs one request.
 *
 * @throws what CloudWatch answers with
 */
export async function readMetrics(
  { environment, clients }: Pick<Deployment, 'environment' | 'clients'>,
  now: Date,
): Promise<Readonly<Record<ShownMetric, number | null>>> {
  const longest = Math.max(...shownMetrics.map(({ within }) => within));
  const valuesOf = await readValues(
    clients,
    shownMetrics.map(({ metric, statistic }) =>
      statistic === 'Latest'
        ? ownMetric(idOf(metric), environment, { metric, statistic: 'Maximum' })
        : ownMetric(idOf(metric), environment, { metric, statistic, period: sumPeriod }),
    ),
    { from: now.getTime() - longest * 1_000, until: afterMinuteOf(now) },
  );
  const read = ({ metric, statistic, within }: Shown): number | null => {
    const period = statistic === 'Latest' ? metricPeriod : sumPeriod;
    // A period counts whole, if only its end is within the time.
    const from = now.getTime() - (within + period) * 1_000;
    const values = valuesOf(idOf(metric)).filter(({ at }) => at > from);
    return statistic === 'Sum' ? totalOf(values) : (values[0]?.value ?? null);
  };
  const byName = new Map<ShownMetric, number | null>(shownMetrics.map((shown) => [shown.metric, read(shown)]));
  const latest = (metric: ShownMetric) => byName.get(metric) ?? null;
  return {
    EventsStored: latest('EventsStored'),
    DuplicateDeliveries: latest('DuplicateDeliveries'),
    EntityChanges: latest('EntityChanges'),
    UndeliveredUnstored: latest('UndeliveredUnstored'),
    UndeliveredNow: latest('UndeliveredNow'),
    DriftFound: latest('DriftFound'),
  };
}

/** CloudWatch wants a small letter first. */
function idOf(metric: Shown['metric']): string {
  return `metric${metric}`;
}
