import type { ServiceStack } from '#infra/service-stack.ts';
import { type CountName, type MeasureName, metricsNamespace } from '#shared/lambda/metrics.ts';
import { generated } from './generated.ts';

/** What each count counts. A count without a meaning does not compile. */
const counts: Readonly<Record<CountName, string>> = {
  EventsStored: 'Events stored for the first time.',
  DuplicateDeliveries: 'Deliveries of events that were already stored.',
  EventsQuarantined: 'Events stored in quarantine: they cannot take effect.',
  EntityChanges: 'Changes of entities that were published.',
  EntityAnomalies: 'Events that contradict a final status of their entity.',
  ValidationsFailed: 'Refused validations that events report.',
  DriftRepaired: 'Entities that store has repaired after a reconciliation.',
  DriftFound: 'Entities that reconciliation found to differ from the platform.',
  EntitiesReconciled: 'Entities compared with the platform.',
  EntitiesReadBack: 'Entities that reconciliation found due to be read back.',
  EntitiesGone: 'Entities that the platform does not know any more.',
  ReadBacksUnanswered: 'Entities that the platform gave no answer about.',
  ReconciliationsCompleted: 'Reconciliations that came to their end.',
  PreviousSecretDeliveries: 'Deliveries with the previous secret, during a rotation.',
  DeliveriesUnauthorized: 'Requests to the webhooks URL without the registered secret. They got 401.',
  DeliveriesOutOfRange: 'Requests to the webhooks URL from outside `webhookSources`. They got 403.',
  TokensRefreshed: 'New platform tokens.',
  TokenRefreshesFailed: 'Refreshes of the platform token that failed.',
  UndeliveredFound: 'Undelivered records that drain listed. Each run that reads the list writes it, also with 0.',
  UndeliveredDrained: 'Undelivered records that drain stored.',
  UndeliveredQuarantined: 'Undelivered records that drain stored in quarantine.',
  UndeliveredMarked: 'Undelivered records that the platform took as marked.',
  UndeliveredLate: 'Undelivered records that are older than what was marked before.',
  OnboardingsAccepted: 'Requests for onboardings that were accepted.',
  OnboardingsRejected: 'Requests for onboardings that were rejected.',
  OnboardingsCompleted: 'Onboardings whose person became ACTIVE.',
  OnboardingsEnded: 'Onboardings that ended otherwise.',
  OnboardingsStopped: 'Onboardings that stopped, and wait for an operator.',
  OnboardingsStalled: 'Onboardings whose step exceeded its deadline.',
};

/** What each measure says, in its unit. */
const measures: Readonly<Record<MeasureName, string>> = {
  TokenSecondsLeft: 'Seconds until the stored platform token expires. 0 without a valid token.',
  OldestUndeliveredAge: 'Age in seconds of the oldest undelivered record.',
  UndeliveredMarksRefused: 'Runs of drain in a row in which the platform refused a mark.',
  UndeliveredForeign: 'Undelivered records of another system.',
  UndeliveredBehindForeign: 'Undelivered records of ours that wait behind those of another system.',
  EntitiesStale: 'Entities without a report for longer than `reconciliation.staleAfterHours`.',
  RegistrationsMissing: 'Event types without a webhook on the platform.',
  RegistrationsDrifted: 'Webhooks of ours with another URL or other headers.',
  RegistrationsRepaired: 'Webhooks that register created or updated.',
  RegistrationsForeign: 'Event types whose webhook belongs to another URL.',
  RegistrationsFailed: 'Webhooks that register could not create or update.',
};

/** `docs/reference/metrics.md`: the metrics that functions write, and the alarms on them. */
export function writeMetrics(service: ServiceStack): string {
  const alarms = [...service.alarms.declared].map(([alarm, { metric }]) => {
    const { metricStat } = metric.toMetricConfig();
    return { alarm, metric: metricStat?.namespace === metricsNamespace ? metricStat.metricName : undefined };
  });
  const table = (metrics: Readonly<Record<string, string>>) => {
    const rows = Object.entries(metrics).map(([name, meaning]) => {
      const links = alarms
        .filter(({ metric }) => metric === name)
        .map(({ alarm }) => `[${alarm}](alarms.md#${alarm.toLowerCase()})`);
      return `| \`${name}\` | ${meaning} | ${links.join(', ') || '–'} |`;
    });
    return ['| metric | meaning | alarm |', '|---|---|---|', ...rows].join('\n');
  };
  return `${[
    preface,
    '## Counts',
    'Statistic: sum.',
    table(counts),
    '## Measures',
    'Statistic: maximum. The latest value of an invocation counts.',
    table(measures),
  ].join('\n\n')}\n`;
}

const preface = `${generated}

# Metrics

*For operators who build dashboards.* The functions write these metrics to the CloudWatch namespace \`${metricsNamespace}\`, without
dimensions. Metrics of Lambda, SQS and API Gateway come on top.`;
