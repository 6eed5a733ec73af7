import { Duration, Stack } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  AlarmStatusWidgetSortBy,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { Construct } from 'constructs';
import type { DataStack } from '#infra/data-stack.ts';
import type { Onboarding } from '#infra/onboarding/onboarding.ts';
import { type Alarms, errorsOf, oldestMessage, ownMetric, visibleMessages } from '#infra/parts/alarms.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import type { MissedRuns } from '#infra/parts/missed-runs.ts';
import { addOutput } from '#infra/parts/output.ts';
import type { TokenRefresher } from '#infra/token-refresher/token-refresher.ts';
import type { WebhookIngest } from '#infra/webhook-ingest/webhook-ingest.ts';
import type { CountName, DurationName, MeasureName } from '#shared/lambda/metrics.ts';

export type HealthDashboardProps = {
  readonly data: DataStack;
  /** Undefined if only the deployment knows it. */
  readonly knownRegion: string | undefined;
  readonly alarms: Alarms;
  readonly missedRuns: MissedRuns;
  readonly tokenRefresher: TokenRefresher;
  readonly onboarding: Onboarding;
  readonly webhookIngest: WebhookIngest;
};

/** CloudWatch divides the width into 24 columns. A graph needs a quarter to keep its legend readable. */
const quarter = { width: 6, height: 4 };

const fiveMinutes = Duration.minutes(5);

/** One screen: is Drawbridge healthy, where is the backlog, what arrives, and what does the platform do. */
export class HealthDashboard extends Construct {
  constructor(scope: Construct, id: string, props: HealthDashboardProps) {
    super(scope, id);
    const { data, knownRegion, alarms } = props;
    const { region } = Stack.of(this);
    // With the region: an account has each dashboard once for all regions, and a second region must deploy while the first is down.
    const dashboardName = `drawbridge-${data.environmentName}-${region}`;
    new Dashboard(this, 'Dashboard', {
      dashboardName,
      defaultInterval: Duration.hours(3),
      widgets: [
        alarmStates(alarms),
        [heading('Where is the backlog?')],
        backlog(props),
        [heading('What arrives?')],
        arrivals(props),
        [heading('What does the platform do?')],
        platform(this, props),
      ],
    });
    addOutput(
      this,
      'DashboardUrl',
      'Health, backlog and platform on one screen',
      `https://${region}.${consoleDomain(knownRegion)}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`,
    );
  }
}

/** Of the partitions that have another one. */
const consoleDomains: Readonly<Record<string, string>> = {
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
};

function consoleDomain(region: string | undefined): string {
  const { partition = 'aws' } = region === undefined ? {} : RegionInfo.get(region);
  return consoleDomains[partition] ?? 'console.aws.amazon.com';
}

function backlog({ data, missedRuns, tokenRefresher, onboarding, webhookIngest }: HealthDashboardProps): IWidget[] {
  const { queue: webhooks } = webhookIngest;
  const { queue: onboardings } = onboarding;
  const { queue: refreshes } = tokenRefresher;
  return [
    graph('Messages that wait', [
      visibleMessages(webhooks).with({ label: 'Webhooks' }),
      visibleMessages(data.requests).with({ label: 'Requests' }),
      visibleMessages(onboardings).with({ label: 'Onboarding' }),
      visibleMessages(refreshes).with({ label: 'TokenRefreshes' }),
    ]),
    graph('Age of the oldest message, in seconds', [
      oldestMessage(webhooks).with({ label: 'Webhooks' }),
      oldestMessage(onboardings).with({ label: 'Onboarding' }),
      measure(data, 'OldestDueAge'),
    ]),
    graph('Dead letters', [
      visibleMessages(webhooks.deadLetters).with({ label: 'WebhooksDlq' }),
      visibleMessages(data.requests.deadLetters).with({ label: 'RequestsDlq' }),
      visibleMessages(onboardings.deadLetters).with({ label: 'OnboardingDlq' }),
      visibleMessages(refreshes.deadLetters).with({ label: 'TokenRefreshesDlq' }),
      visibleMessages(missedRuns).with({ label: 'MissedRuns' }),
    ]),
    graph(
      'Undelivered on the platform',
      [measure(data, 'UndeliveredNow')],
      [measure(data, 'OldestUndeliveredAge', 'Oldest, in seconds')],
    ),
  ];
}

function arrivals({ data, webhookIngest }: HealthDashboardProps): IWidget[] {
  const { webhooksApi } = webhookIngest;
  const perMinute = { period: Duration.minutes(1), statistic: 'Sum' };
  return [
    graph('Requests to the webhooks API', [
      webhooksApi.metricCount({ ...perMinute, label: 'All' }),
      webhooksApi.metricClientError({ ...perMinute, label: '4xx' }),
      webhooksApi.metricServerError({ ...perMinute, label: '5xx' }),
    ]),
    graph(
      'Events, and ms from receipt to bus',
      counts(data, ['EventsStored', 'DuplicateDeliveries']),
      durations(data, 'ReceiptToBusDuration', 'Receipt to bus'),
    ),
    graph('Entities', counts(data, ['EntityChanges', 'EntityAnomalies', 'ValidationsFailed'])),
    graph(
      'Onboardings, and ms from request to ACTIVE',
      [
        ...counts(data, ['OnboardingsAccepted', 'OnboardingsCompleted', 'OnboardingsEnded']),
        measure(data, 'OnboardingsNowStopped'),
      ],
      durations(data, 'RequestToActiveDuration', 'Request to ACTIVE', ['p50']),
    ),
  ];
}

function platform(scope: Construct, { data }: HealthDashboardProps): IWidget[] {
  return [
    graph(
      'Platform token',
      [measure(data, 'TokenSecondsLeft', 'Seconds left')],
      counts(data, ['TokenRefreshesFailed']),
    ),
    graph('Drift', counts(data, ['DriftFound', 'DriftRepaired'])),
    graph('Registrations', [measure(data, 'RegistrationsMissing')]),
    graph('Platform calls in ms, and errors of functions', durations(data, 'PlatformCallDuration', 'Platform calls'), [
      errorsOfAll(scope),
    ]),
  ];
}

/** One line: a line for each function would not fit. */
function errorsOfAll(scope: Construct): IMetric {
  const functions = Stack.of(scope)
    .node.findAll()
    .filter((node) => node instanceof DrawbridgeFunction);
  const named = functions.map((of, index) => [`errors${index}`, errorsOf(of, fiveMinutes)] as const);
  return new MathExpression({
    expression: `SUM([${named.map(([name]) => name).join(', ')}])`,
    usingMetrics: Object.fromEntries(named),
    label: 'Errors of all functions',
    period: fiveMinutes,
  });
}

/** First whether any alarm is on, then which: alarms that are on come first, the latest change before all others. */
function alarmStates(alarms: Alarms): IWidget[] {
  const sortBy = AlarmStatusWidgetSortBy.STATE_UPDATED_TIMESTAMP;
  return [
    new AlarmStatusWidget({ title: 'Is anything wrong?', alarms: [alarms.addAny()], width: 5, height: 5 }),
    new AlarmStatusWidget({ title: 'What is wrong?', alarms: [...alarms.notifying], sortBy, width: 19, height: 5 }),
  ];
}

function heading(text: string): IWidget {
  return new TextWidget({ markdown: `**${text}**`, width: 24, height: 1 });
}

function graph(title: string, left: readonly IMetric[], right: readonly IMetric[] = []): IWidget {
  const fromZero = { min: 0, showUnits: false };
  return new GraphWidget({
    title,
    left: [...left],
    leftYAxis: fromZero,
    ...(right.length > 0 && { right: [...right], rightYAxis: fromZero }),
    ...quarter,
  });
}

function counts(data: DataStack, names: readonly CountName[]): readonly IMetric[] {
  return names.map((name) => count(data, name));
}

function count(data: DataStack, name: CountName): IMetric {
  return ownMetric(data, name, { period: fiveMinutes, statistic: 'Sum', label: name });
}

function durations(data: DataStack, name: DurationName, label: string, of = ['p50', 'p99']): readonly IMetric[] {
  return of.map((statistic) =>
    ownMetric(data, name, { period: fiveMinutes, statistic, label: `${label}, ${statistic}` }),
  );
}

function measure(data: DataStack, name: MeasureName, label: string = name): IMetric {
  return ownMetric(data, name, { period: fiveMinutes, statistic: 'Maximum', label });
}
