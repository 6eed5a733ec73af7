import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { metricsNamespace } from '#shared/metrics.ts';
import type { TokenRefresher } from './token-refresher.ts';
import type { WebhookIngest } from './webhook-ingest.ts';

export type AlarmsProps = {
  readonly key: Key;
  readonly webhookIngest: WebhookIngest;
  readonly tokenRefresher: TokenRefresher;
};

type Threshold = {
  readonly metric: IMetric;
  /** It goes off above this. */
  readonly above: number;
  /** For so many periods in a row. */
  readonly periods?: number;
  /** What it means that it went off, and what to do: read at three in the morning. */
  readonly meaning: string;
};

/** Says when a hand is needed, to whoever subscribes to the topic. Carries no personal data. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { key, webhookIngest, tokenRefresher }: AlarmsProps) {
    super(scope, id);
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    // enforceSSL gives the topic a policy of its own, in place of the one that lets the account's alarms publish.
    this.topic.grantPublish(cloudWatch);
    key.grant(cloudWatch, 'kms:Decrypt', 'kms:GenerateDataKey');
    const thresholds = { ...webhookAlarms(webhookIngest), ...tokenAlarms(tokenRefresher) };
    for (const [name, threshold] of Object.entries(thresholds)) this.#alarm(name, threshold);
  }

  #alarm(name: string, { metric, above, periods = 1, meaning }: Threshold): void {
    const alarm = new Alarm(this, name, {
      alarmDescription: meaning,
      metric,
      threshold: above,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }
}

const period = Duration.minutes(1);

function webhookAlarms({ api, receive, queue, deadLetterQueue, store }: WebhookIngest): Record<string, Threshold> {
  return {
    WebhooksDlq: {
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
      meaning:
        'Webhooks that were answered 200 could not be stored in ten tries. They are in the DLQ for 14 days: read the errors of Store, mend the cause, then redrive the DLQ to the webhooks queue.',
    },
    WebhooksLate: {
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      above: Duration.minutes(15).toSeconds(),
      periods: 3,
      meaning:
        'Webhooks wait more than 15 minutes to be stored. Nothing is lost for 7 days: look at the errors and throttles of Store.',
    },
    WebhooksRefusedByUs: {
      metric: api.metricServerError({ period, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning:
        'Webhooks are answered 5xx, and the platform keeps them as undelivered. Read the errors of Receive: most likely SQS or Secrets Manager refuses.',
    },
    ReceiveErrors: {
      metric: receive.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning: 'Receive crashes or runs out of time; the platform keeps what it could not deliver. Read its log.',
    },
    StoreErrors: {
      metric: store.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 5,
      meaning:
        'Store crashes or runs out of time, and its webhooks are tried again. Read its log before the DLQ fills.',
    },
    EventsQuarantined: {
      metric: new Metric({ namespace: metricsNamespace, metricName: 'EventsQuarantined', period, statistic: 'Sum' }),
      above: 0,
      meaning:
        'Webhooks came that cannot have an effect: no JSON object, or of an event type that the platform profile does not know. They are stored: read the index "quarantined" of the events table for the reasons.',
    },
  };
}

function tokenAlarms({ deadLetterQueue }: TokenRefresher): Record<string, Threshold> {
  return {
    TokenRefreshesDlq: {
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
      meaning:
        'The platform refused a token, and for 90 minutes there was no new one. Read the errors of Refresh; once TokenSecondsLeft is back, purge the DLQ, since the report is about a token that is gone.',
    },
  };
}
