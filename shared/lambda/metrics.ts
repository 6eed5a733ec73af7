/** The CloudWatch namespace of all metrics of ours. They have no dimensions: an environment is an account. */
export const metricsNamespace = 'Drawbridge';

export type CountName =
  | 'EventsStored'
  | 'DuplicateDeliveries'
  | 'EventsQuarantined'
  | 'EntityChanges'
  | 'EntityAnomalies'
  | 'ValidationsFailed'
  | 'DriftRepaired'
  | 'DriftFound'
  | 'EntitiesReconciled'
  | 'EntitiesReadBack'
  | 'EntitiesGone'
  | 'ReadBacksUnanswered'
  | 'ReconciliationsCompleted'
  | 'PreviousSecretDeliveries'
  | 'DeliveriesUnauthorized'
  | 'DeliveriesOutOfRange'
  | 'TokensRefreshed'
  | 'TokenRefreshesFailed'
  | 'UndeliveredFound'
  | 'UndeliveredDrained'
  | 'UndeliveredQuarantined'
  | 'UndeliveredMarked'
  | 'UndeliveredLate'
  | 'OnboardingsAccepted'
  | 'OnboardingsRejected'
  | 'OnboardingsCompleted'
  | 'OnboardingsEnded'
  | 'OnboardingsStopped'
  | 'OnboardingsStalled';

/** What is measured, in which unit. */
const units = {
  TokenSecondsLeft: 'Seconds',
  OldestUndeliveredAge: 'Seconds',
  UndeliveredMarksRefused: 'Count',
  UndeliveredForeign: 'Count',
  UndeliveredBehindForeign: 'Count',
  EntitiesStale: 'Count',
  RegistrationsMissing: 'Count',
  RegistrationsDrifted: 'Count',
  RegistrationsRepaired: 'Count',
  RegistrationsForeign: 'Count',
  RegistrationsFailed: 'Count',
} as const;

export type MeasureName = keyof typeof units;

export type Metrics = {
  /** Counts one, unless more are given. */
  readonly count: (name: CountName, more?: number) => void;
  /** Notes how much it is now: the latest stands. */
  readonly measure: (name: MeasureName, value: number) => void;
  /** Writes what was counted and measured since the last time. */
  readonly flush: () => void;
};

export type MetricsDeps = {
  /** Takes one line, its end included. */
  readonly write: (line: string) => void;
  readonly now: () => Date;
};

/**
 * Counts and measures, and writes it as a log line in CloudWatch's embedded metric format: no call, and nothing to wait for.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function createMetrics({ write, now }: MetricsDeps): Metrics {
  const counts = new Map<CountName, number>();
  const measures = new Map<MeasureName, number>();

  function flush(): void {
    const Metrics = [
      ...[...counts.keys()].map((Name) => ({ Name, Unit: 'Count' })),
      ...[...measures.keys()].map((Name) => ({ Name, Unit: units[Name] })),
    ];
    if (Metrics.length === 0) return;
    const CloudWatchMetrics = [{ Namespace: metricsNamespace, Dimensions: [[]], Metrics }];
    const _aws = { Timestamp: now().getTime(), CloudWatchMetrics };
    write(`${JSON.stringify({ _aws, ...Object.fromEntries(counts), ...Object.fromEntries(measures) })}\n`);
    counts.clear();
    measures.clear();
  }

  return {
    flush,
    count: (name, more = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + more);
    },
    measure: (name, value) => {
      measures.set(name, value);
    },
  };
}
