import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { metricsNamespace } from '#shared/metrics.ts';
import type { Onboarding } from './onboarding.ts';
import { drainInterval, type RetryUndelivered } from './retry-undelivered.ts';
import type { TokenRefresher } from './token-refresher.ts';
import type { WebhookIngest } from './webhook-ingest.ts';

export type AlarmsProps = {
  readonly key: Key;
  readonly webhookIngest: WebhookIngest;
  readonly onboarding: Onboarding;
  readonly tokenRefresher: TokenRefresher;
  readonly retryUndelivered: RetryUndelivered;
  /** Where a run goes that a schedule could not start. */
  readonly missedRuns: Queue;
};

/** It goes off above this; or below that, and where nothing is measured. */
type Limit = { readonly above: number } | { readonly below: number };

type Threshold = Limit & {
  readonly metric: IMetric;
  /** For so many periods in a row. */
  readonly periods?: number;
  /** What it means that it went off, and what to do: read at three in the morning. */
  readonly meaning: string;
};

/** Says when a hand is needed, to whoever subscribes to the topic. Carries no personal data. */
export class Alarms extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { key, ...watched }: AlarmsProps) {
    super(scope, id);
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    // enforceSSL gives the topic a policy of its own, in place of the one that lets the account's alarms publish.
    this.topic.grantPublish(cloudWatch);
    key.grant(cloudWatch, 'kms:Decrypt', 'kms:GenerateDataKey');
    const thresholds = {
      ...webhookAlarms(watched.webhookIngest),
      ...registrationAlarms(watched.webhookIngest),
      ...onboardingAlarms(watched.onboarding),
      ...requestAlarms(watched.onboarding),
      ...tokenAlarms(watched.tokenRefresher),
      ...drainAlarms(watched.retryUndelivered),
      ...reconcileAlarms(watched.retryUndelivered),
      ...scheduleAlarms(watched.missedRuns),
    };
    for (const [name, threshold] of Object.entries(thresholds)) this.#alarm(name, threshold);
  }

  #alarm(name: string, { metric, periods = 1, meaning, ...limit }: Threshold): void {
    const alarm = new Alarm(this, name, {
      alarmDescription: meaning,
      metric,
      evaluationPeriods: periods,
      ...comparison(limit),
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    alarm.addOkAction(new SnsAction(this.topic));
  }
}

function comparison(limit: Limit) {
  if ('above' in limit)
    return {
      threshold: limit.above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    };
  return {
    threshold: limit.below,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  };
}

const period = Duration.minutes(1);
/** In each there is a run of the token refresher, or in the next. */
const refreshPeriod = Duration.minutes(5);

/** In each there is a run of register, or in the next. */
const registrationPeriod = Duration.hours(1);

function webhookAlarms({
  api,
  receive,
  queue,
  deadLetterQueue,
  store,
  lookUp,
}: WebhookIngest): Record<string, Threshold> {
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
        'Webhooks, or what your own systems ask, are answered 5xx; such webhooks the platform keeps as undelivered. Read the errors of Receive, most likely SQS or Secrets Manager refuses; and those of LookUp, Request and UpdatePerson.',
    },
    ReceiveErrors: {
      metric: receive.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning: 'Receive crashes or runs out of time; the platform keeps what it could not deliver. Read its log.',
    },
    DeliveriesUnauthorized: {
      metric: new Metric({
        namespace: metricsNamespace,
        metricName: 'DeliveriesUnauthorized',
        period: Duration.minutes(5),
        statistic: 'Sum',
      }),
      above: 10,
      periods: 3,
      meaning:
        'For a quarter of an hour requests to the webhooks URL came without the registered secret, and were answered 401. If the platform sends another secret than ours, it keeps the webhooks as undelivered, and Drain stores them. Invoke Register with {"mode": "plan"}: if it finds registrations that are not as they should be, with {"mode": "apply"}. Otherwise a stranger knows the URL: set webhookSources in cdk.json, or change webhookPathKey to move the URL, and deploy.',
    },
    DeliveriesOutOfRange: {
      metric: new Metric({
        namespace: metricsNamespace,
        metricName: 'DeliveriesOutOfRange',
        period,
        statistic: 'Sum',
      }),
      above: 0,
      meaning:
        'Requests to the webhooks URL came from outside webhookSources, and were answered 403. If the platform delivers from new addresses, it keeps the webhooks as undelivered, and Drain stores them within minutes: compare sourceIp in the access log of the API with the ranges that the operator of the platform states, then correct webhookSources in cdk.json and deploy. Otherwise a stranger knows the URL: change webhookPathKey and deploy.',
    },
    StoreErrors: {
      metric: store.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 5,
      meaning:
        'Store crashes or runs out of time, and its webhooks are tried again. Read its log before the DLQ fills.',
    },
    LookUpErrors: {
      metric: lookUp.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning:
        'LookUp crashes or runs out of time: your own systems get no answer to what they look up. Webhooks are taken in all the same. Read its log.',
    },
    EventsQuarantined: {
      metric: new Metric({ namespace: metricsNamespace, metricName: 'EventsQuarantined', period, statistic: 'Sum' }),
      above: 0,
      meaning:
        'Webhooks came that cannot have an effect: no JSON object, of an event type that the platform profile does not know, without the id or status that it says where to find, or undelivered ones that lack what the specification requires. They are stored. Invoke Replay with {}: it counts those in quarantine, by reason and by event type. Mend the cause, then invoke it with the request that it answers as "replay".',
    },
  };
}

function registrationAlarms({ register }: WebhookIngest): Record<string, Threshold> {
  const ourMetric = (metricName: string) =>
    new Metric({ namespace: metricsNamespace, metricName, period: registrationPeriod, statistic: 'Maximum' });
  return {
    RegisterErrors: {
      metric: register.lambda.metricErrors({ period: registrationPeriod, statistic: 'Sum' }),
      above: 0,
      periods: 2,
      meaning:
        'For two hours Register could not do its work: registrations on the platform that somebody changes are not repaired, and a rotation of the webhook secret stands still. Read its log: most likely the platform does not answer, or there is no token.',
    },
    RegistrationsFailed: {
      metric: ourMetric('RegistrationsFailed'),
      above: 0,
      periods: 2,
      meaning:
        'For two hours the platform has not taken, or not listed, registrations as they should be: their events may not reach us, and nobody keeps them. Invoke Register with {"mode": "apply"}: it answers which, and why.',
    },
    RegistrationsMissing: {
      metric: ourMetric('RegistrationsMissing'),
      above: 0,
      meaning:
        'Event types had no webhook on the platform, which is so after the first deployment, or when somebody has removed them: until then nobody kept their events. They are registered now, unless RegistrationsFailed goes off too. Read back from the platform what may have changed meanwhile.',
    },
    RegistrationsDrifted: {
      metric: ourMetric('RegistrationsDrifted'),
      above: 0,
      meaning:
        'Our registrations on the platform had another URL or other headers than ours. A deployment that moves the webhooks URL causes this once; otherwise they were changed on the platform. They are repaired, unless RegistrationsFailed goes off too; the log of Register names them. Find out who it was: until then the events may have gone to another place.',
    },
    RegistrationsForeign: {
      metric: ourMetric('RegistrationsForeign'),
      above: 0,
      meaning:
        'Event types that we should get are registered for another URL. Invoke Register with {"mode": "plan"} to see which; if they are to come here, with {"mode": "apply", "takeOver": ["EVENT_TYPE"]}; otherwise leave them out of registeredEventTypes in cdk.json.',
    },
  };
}

function onboardingAlarms({ queue, deadLetterQueue, advance }: Onboarding): Record<string, Threshold> {
  const ourMetric = (metricName: string) =>
    new Metric({ namespace: metricsNamespace, metricName, period, statistic: 'Sum' });
  return {
    OnboardingDlq: {
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
      meaning:
        'Onboardings could not be looked at in ten tries; the messages name them, and hold no person. Read the errors of Advance, most likely DynamoDB, SQS or the bus refuses, mend the cause, then redrive the DLQ to the onboarding queue: there are 14 days.',
    },
    OnboardingLate: {
      metric: queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      above: Duration.hours(1).toSeconds(),
      periods: 3,
      meaning:
        'Onboardings have waited for more than an hour to be looked at. Nothing is lost for 7 days: look at the errors and throttles of Advance, and at how long the platform takes to answer; onboardingConcurrency in cdk.json says how many batches go on side by side.',
    },
    AdvanceErrors: {
      metric: advance.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 5,
      meaning:
        'Advance crashes or runs out of time, and its onboardings are tried again. Read its log before the DLQ fills.',
    },
    OnboardingsStopped: {
      metric: ourMetric('OnboardingsStopped'),
      above: 0,
      meaning:
        'Onboardings have stopped until somebody puts something right: the log of Advance names them, and the event OnboardingStopped and GET /onboardings/{externalId} say what to do. Then retry each with POST /onboardings/{externalId}/retry.',
    },
    OnboardingsStalled: {
      metric: ourMetric('OnboardingsStalled'),
      above: 0,
      meaning:
        'Onboardings have been at one step for longer than it should take (onboarding.deadlines in cdk.json). They go on by themselves once the platform, or the person, does its part; where the platform fails a step for onboarding.stopAfterHours, the onboarding stops: the log of Advance names them and their step. Ask there, and cancel those that will not come to anything.',
    },
  };
}

function requestAlarms({
  request,
  requestEvent,
  updatePerson,
  erasePerson,
  ruleDimensions,
}: Onboarding): Record<string, Threshold> {
  return {
    RequestErrors: {
      metric: request.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning:
        'Request crashes or runs out of time: your own systems get no answer to what they ask of onboardings, and ask again. Read its log.',
    },
    UpdatePersonErrors: {
      metric: updatePerson.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning:
        'UpdatePerson crashes or runs out of time: your own systems get no answer to updates of persons, and send them again. Read its log: most likely the platform takes too long.',
    },
    ErasePersonErrors: {
      metric: erasePerson.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      meaning:
        'ErasePerson crashes or runs out of time: somebody may be erased in part. Whoever asked for it got no 204, and asks again until it does: what is left goes on from where it stopped. Read its log.',
    },
    RequestEventErrors: {
      metric: requestEvent.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      meaning:
        'An OnboardingRequested event could not be taken in. It is tried three times within some 20 minutes, and kept nowhere after that, since it holds a person. Read the log of RequestEvent, most likely DynamoDB refuses, and mend the cause at once; RequestEventsDropped tells when one was given up.',
    },
    RequestEventsDropped: {
      metric: requestEvent.lambda.metric('AsyncEventsDropped', { period, statistic: 'Sum' }),
      above: 0,
      meaning:
        'OnboardingRequested events were given up, and are kept nowhere. Mend the cause that the log of RequestEvent names; then have your systems publish again what was answered by neither OnboardingAccepted nor OnboardingRejected.',
    },
    RequestEventsNotHandedOver: {
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'FailedInvocations',
        dimensionsMap: ruleDimensions,
        period,
        statistic: 'Sum',
      }),
      above: 0,
      meaning:
        'EventBridge could not hand OnboardingRequested events to RequestEvent, most likely for want of a permission, and keeps them nowhere. Mend it, then have your systems publish again what was answered by neither OnboardingAccepted nor OnboardingRejected.',
    },
  };
}

function tokenAlarms({ refresh, deadLetterQueue }: TokenRefresher): Record<string, Threshold> {
  const ourMetric = { namespace: metricsNamespace, period: refreshPeriod };
  return {
    TokenRunsOut: {
      metric: new Metric({ ...ourMetric, metricName: 'TokenSecondsLeft', statistic: 'Maximum' }),
      below: Duration.minutes(25).toSeconds(),
      periods: 2,
      meaning:
        'The platform token has less than 25 minutes left, or is refused, or nobody looks after it. Once it has run out every call to the platform fails, and is made again later. Read the errors of Refresh: most likely the token service is down, or the secret PlatformCredentials is not right.',
    },
    TokenRefreshesFailed: {
      metric: new Metric({ ...ourMetric, metricName: 'TokenRefreshesFailed', statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning:
        'There should be a new platform token, and for 15 minutes there has been none; the stored one is in use as long as it lasts. Read the errors of Refresh: they say whether the token service, the credentials or Secrets Manager is the cause.',
    },
    TokenRefreshesDlq: {
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
      meaning:
        'For three hours there was no new platform token although there should have been one. Read the errors of Refresh; once TokenRunsOut is over purge the DLQ, since what is in it is of no use any more.',
    },
    RefreshErrors: {
      metric: refresh.lambda.metricErrors({ period, statistic: 'Sum' }),
      above: 0,
      periods: 5,
      meaning:
        'Refresh crashes or runs out of time; it is tried again every two minutes. Read its log before the platform token runs out.',
    },
  };
}

function drainAlarms({ drain }: RetryUndelivered): Record<string, Threshold> {
  const ourMetric = { namespace: metricsNamespace, period: drainInterval };
  return {
    UndeliveredOld: {
      metric: new Metric({ ...ourMetric, metricName: 'OldestUndeliveredAge', statistic: 'Maximum' }),
      above: Duration.hours(1).toSeconds(),
      periods: 3,
      meaning:
        'Webhooks have been undelivered for more than an hour. They are stored as fast as Drain can list them, but not marked on the platform. See whether UndeliveredMarksRefused went off; otherwise read the log of Drain for cursors that are refused.',
    },
    UndeliveredMarksRefused: {
      metric: new Metric({ ...ourMetric, metricName: 'UndeliveredMarksRefused', statistic: 'Maximum' }),
      above: 1,
      meaning:
        'In two runs of Drain the platform has refused to mark webhooks as delivered. Each webhook is stored and has its effect once; only the list on the platform grows. The line "mark refused" in the log of Drain names the path and the answer. After 404 or 405 set platformProfile.webhookPaths.markDelivered in cdk.json to the path of this platform, and deploy. After 403 ask the operator of the platform for the permission. The first mark that the platform takes ends the alarm.',
    },
    UndeliveredBehindForeign: {
      metric: new Metric({
        ...ourMetric,
        period: Duration.minutes(15),
        metricName: 'UndeliveredBehindForeign',
        statistic: 'Maximum',
      }),
      above: 0,
      periods: 4,
      meaning:
        'For an hour webhooks of ours have waited on the platform behind undelivered webhooks of another system: the value of the metric says how many. Ours are stored and have had their effect. To mark them would take the older ones from that system. The line "undelivered webhooks of another system" in the log of Drain names the host. If the host was ours, add the former URL to formerWebhooksUrls in cdk.json, and deploy. Otherwise have that system fetch its undelivered webhooks and mark them.',
    },
    DrainErrors: {
      metric: drain.lambda.metricErrors({ period: drainInterval, statistic: 'Sum' }),
      above: 0,
      periods: 3,
      meaning:
        'Three runs of Drain have failed, one after the other; the platform keeps what it could not deliver. Read the log of Drain: it says whether the platform, its token, DynamoDB or SQS is the cause.',
    },
    DrainSilent: {
      metric: new Metric({ ...ourMetric, metricName: 'UndeliveredFound', statistic: 'SampleCount' }),
      below: 1,
      periods: 3,
      meaning:
        'For 15 minutes nobody has read the list of undelivered webhooks, the empty list included. See whether Drain is started (its invocations, the queue MissedRuns), and read its log.',
    },
    UndeliveredLate: {
      metric: new Metric({ ...ourMetric, metricName: 'UndeliveredLate', statistic: 'Sum' }),
      above: 0,
      meaning:
        'Undelivered webhooks came to light that are older than what had been marked before. These are stored, but others like them may have been marked unseen: raise undelivered.settle of the platform profile, and read back from the platform what may have been missed.',
    },
  };
}

function reconcileAlarms({ reconcile }: RetryUndelivered): Record<string, Threshold> {
  const ourMetric = { namespace: metricsNamespace, statistic: 'Sum' };
  return {
    ReconcileErrors: {
      metric: reconcile.lambda.metricErrors({ period: reconcile.interval, statistic: 'Sum' }),
      above: 0,
      periods: 2,
      meaning:
        'Two runs of Reconcile have failed, one after the other; the next goes on from where they stopped. Read its log: it says whether the platform, its token, DynamoDB or SQS is the cause.',
    },
    ReconcileSilent: {
      metric: new Metric({ ...ourMetric, metricName: 'ReconciliationsCompleted', period: Duration.days(1) }),
      below: 1,
      meaning:
        'For a day not one reconciliation has come to its end, which is so, too, until the first one after a deployment has. See whether Reconcile is started (its invocations, the queue MissedRuns), and read its log; if it only is slow, raise reconciliation.callsPerSecond in cdk.json.',
    },
    DriftFound: {
      metric: new Metric({ ...ourMetric, metricName: 'DriftFound', period: Duration.hours(1) }),
      above: 0,
      meaning:
        'Persons, verifications or transfers were not as the platform has them: their webhooks never came, which is so, too, for all that existed before the first deployment. They are repaired, and DriftRepaired on the bus says what differed. See whether RegistrationsMissing or RegistrationsDrifted went off before; otherwise ask the operator of the platform. Orders of that time cannot be read back: look at them there.',
    },
  };
}

function scheduleAlarms(missedRuns: Queue): Record<string, Threshold> {
  return {
    MissedRuns: {
      metric: missedRuns.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      above: 0,
      meaning:
        'EventBridge Scheduler could not start a run; the message says which, and why. Mend the cause, most likely a permission, then purge the queue: the next run does what was missed.',
    },
  };
}
