import type { Deployment } from '#cli/deployment/deployment.ts';
import type { QueueName } from '#cli/deployment/resource-names.ts';
import { deadLetterQueues } from '#cli/dlq/dead-letter-queues.ts';
import { metricPeriod, ownMetric, queueMetric, readValues } from './metric-query.ts';

/** In minutes. */
const length = 60;

/** Queues whose depth and age say whether Drawbridge keeps up. */
const workQueues = ['Webhooks', 'Onboarding'] as const satisfies readonly QueueName[];

/** The values of a metric by minute; null if none was written. */
export type Series = readonly (number | null)[];

/** The last hour, minute by minute. */
export type LastHour = {
  /** When each minute began, in milliseconds since 1970. */
  readonly times: readonly number[];
  /** Events that were stored in each minute. */
  readonly stored: Series;
  /** Changes that were published in each minute. */
  readonly changes: Series;
  /** Undelivered records that were listed and not stored. */
  readonly unstored: Series;
  /** Undelivered records that are stored, and to be marked. */
  readonly toBeMarked: Series;
  readonly waiting: Readonly<Record<(typeof workQueues)[number], Series>>;
  /** The age of the oldest message, in seconds. */
  readonly oldest: Readonly<Record<(typeof workQueues)[number], Series>>;
  readonly deadLetters: Series;
};

/**
 * Reads the metrics of the last hour in one request.
 *
 * @param now by the clock of the deployment
 * @throws what CloudWatch answers with
 */
export async function readLastHour(
  { environment, clients, resources }: Pick<Deployment, 'environment' | 'clients' | 'resources'>,
  now: Date,
): Promise<LastHour> {
  const found = await resources();
  const period = metricPeriod * 1_000;
  const end = Math.ceil(now.getTime() / period) * period;
  const times = Array.from({ length }, (_, minute) => end - (length - minute) * period);
  const valuesOf = await readValues(
    clients,
    [
      ownMetric('stored', environment, { metric: 'EventsStored', statistic: 'Sum' }),
      ownMetric('changes', environment, { metric: 'EntityChanges', statistic: 'Sum' }),
      ownMetric('unstored', environment, { metric: 'UndeliveredUnstored', statistic: 'Maximum' }),
      ownMetric('toBeMarked', environment, { metric: 'UndeliveredNow', statistic: 'Maximum' }),
      ...workQueues.flatMap((name) => [
        queueMetric(`waiting${name}`, found, name, 'ApproximateNumberOfMessagesVisible'),
        queueMetric(`oldest${name}`, found, name, 'ApproximateAgeOfOldestMessage'),
      ]),
      ...deadLetterQueues.map((name) => queueMetric(`dead${name}`, found, name, 'ApproximateNumberOfMessagesVisible')),
    ],
    { from: end - length * period, until: end },
  );
  const seriesOf = (id: string): Series => {
    const byTime = new Map(valuesOf(id).map(({ at, value }) => [at, value]));
    return times.map((time) => byTime.get(time) ?? null);
  };
  return {
    times,
    stored: seriesOf('stored'),
    changes: seriesOf('changes'),
    unstored: seriesOf('unstored'),
    toBeMarked: seriesOf('toBeMarked'),
    waiting: { Webhooks: seriesOf('waitingWebhooks'), Onboarding: seriesOf('waitingOnboarding') },
    oldest: { Webhooks: seriesOf('oldestWebhooks'), Onboarding: seriesOf('oldestOnboarding') },
    deadLetters: sumOf(deadLetterQueues.map((name) => seriesOf(`dead${name}`))),
  };
}

/** Minute by minute; null if no series has a value. */
export function sumOf(all: readonly Series[]): Series {
  const [first = []] = all;
  return first.map((_, minute) => {
    const values = all.flatMap((series) => series[minute] ?? []);
    return values.length === 0 ? null : values.reduce((one, other) => one + other, 0);
  });
}
