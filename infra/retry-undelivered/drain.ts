import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type AlarmDeclarations, errorsOf, ownMetric } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import type { MissedRuns } from '#infra/parts/missed-runs.ts';
import { listVariables, type PlatformAccess, retentionVariables } from '#infra/parts/platform-access.ts';
import { readErrors, readLines, readWarnings, showDeadLetters } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import { formerWebhooksUrlsVariable } from '#infra/webhook-ingest/register.ts';
import type { WebhookIngest } from '#infra/webhook-ingest/webhook-ingest.ts';
import { walkNodeOptions } from './node-options.ts';

export type DrainProps = CapabilityProps & {
  readonly platformAccess: PlatformAccess;
  /** Takes the drained webhooks, and knows which webhooks are ours. */
  readonly webhookIngest: WebhookIngest;
};

/** A run begins at this rate. It works until shortly before the next one begins, and leaves the rest to that. */
export const drainInterval = Duration.minutes(1);

/** Several runs: a single failure calls no operator. */
const alarmPeriod = Duration.minutes(5);

/** Stores the undelivered webhooks, and marks them on the platform once they are stored. */
export class Drain extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: DrainProps) {
    const { settings, data, alarms, missedRuns, platformAccess, webhookIngest } = props;
    const { key, events, checkpoints, persons, webhookSecret } = data;
    super(scope, id, {
      data,
      settings,
      description: 'Stores the undelivered webhooks, and marks them on the platform',
      entry: 'functions/retry-undelivered/drain/lambda.ts',
      environment: {
        NODE_OPTIONS: walkNodeOptions,
        EVENTS_TABLE: events.tableName,
        ...retentionVariables(settings),
        CHECKPOINTS_TABLE: checkpoints.tableName,
        PERSONS_TABLE: persons.tableName,
        QUEUE_URL: webhookIngest.queue.queueUrl,
        WEBHOOKS_URL: webhookIngest.webhooksUrl,
        SECRET_ID: webhookSecret.secretArn,
        ...formerWebhooksUrlsVariable(settings),
        ...listVariables({ ...settings, listEntities: false }),
      },
      memorySize: 1_024,
      timeout: drainInterval,
      callsPlatform: true,
      runsEvery: drainInterval,
      onFailure:
        'The next run, a minute later, does what this one left undone, from the checkpoint. Alarms report runs that fail.',
    });
    platformAccess.grant(this);
    this.allow(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'], events.tableArn);
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], checkpoints.tableArn);
    this.allow(['dynamodb:PutItem'], persons.tableArn);
    this.allow(['sqs:SendMessage'], webhookIngest.queue.queueArn);
    this.allow(['secretsmanager:GetSecretValue'], webhookSecret.secretArn);
    this.allow(useKey, key.keyArn, via('dynamodb', 'sqs'));
    alarms.add({ ...alarmsOf(this, missedRuns), ...markAlarms(this) });
  }
}

function alarmsOf(drain: Drain, missedRuns: MissedRuns): AlarmDeclarations {
  const period = alarmPeriod;
  const silentPeriods = 3;
  return {
    DrainErrors: {
      metric: errorsOf(drain, period),
      above: 0,
      periods: 3,
      hasEnd: true,
      part: 'drain',
      meaning: 'Runs of Drain fail. The platform keeps the webhooks that it could not deliver.',
      remedy:
        'Read the errors of Drain. They name the cause: the platform, its token, DynamoDB or SQS. The next run continues from the checkpoint.',
      commands: readErrors(drain),
    },
    DrainSilent: {
      metric: ownMetric(drain, 'UndeliveredFound', { period, statistic: 'SampleCount' }),
      below: 1,
      onlyWhenConfigured: true,
      // The first run with a token begins within a minute of the refresh, and takes up to a minute.
      firstValueWithin: Duration.minutes(5),
      periods: silentPeriods,
      hasEnd: true,
      part: 'drain',
      meaning: 'Drain does not read the list of undelivered webhooks. An empty list counts as read.',
      remedy:
        'Check in MissedRuns whether the schedule starts Drain. Then read the errors of Drain, and check its throttles in CloudWatch.',
      commands: [showDeadLetters(missedRuns), ...readErrors(drain)],
    },
    UndeliveredLate: {
      metric: ownMetric(drain, 'UndeliveredLate', { period, statistic: 'Sum' }),
      above: 0,
      hasEnd: false,
      part: 'drain',
      meaning:
        'The platform listed undelivered webhooks that are older than webhooks already marked. Drain stored these, but others like them may be marked and not stored.',
      remedy:
        'Raise the setting platformProfile.undelivered.settle and deploy. Then compare the entities with the platform: Reconcile repairs persons, verifications and transfers. Check orders on the platform.',
      commands: [readWarnings(drain)],
    },
  };
}

function markAlarms(drain: Drain): AlarmDeclarations {
  const period = alarmPeriod;
  return {
    UndeliveredOld: {
      metric: ownMetric(drain, 'OldestUndeliveredAge', { period, statistic: 'Maximum' }),
      above: Duration.hours(1).toSeconds(),
      periods: 3,
      hasEnd: true,
      part: 'drain',
      meaning: 'Drain stores undelivered webhooks as fast as it lists them, but has not marked these on the platform.',
      remedy:
        'If the alarm UndeliveredMarksRefused is on, follow it. Otherwise read the warnings of Drain: the platform may refuse a cursor.',
      commands: [readWarnings(drain)],
    },
    UndeliveredMarksRefused: {
      metric: ownMetric(drain, 'UndeliveredMarksRefused', { period, statistic: 'Maximum' }),
      above: 1,
      hasEnd: true,
      part: 'drain',
      meaning:
        'The platform refuses to mark webhooks as delivered. Each webhook is stored and takes effect once: only the list on the platform grows.',
      remedy:
        'Read the line "mark refused" of Drain: it names the path and the answer. After 404 or 405 change the setting platformProfile.webhookPaths.markDelivered to the path of this platform, and deploy. After 403 ask the operator of the platform for the permission.',
      commands: [readLines(drain, 'message', 'mark refused')],
    },
    UndeliveredBehindForeign: {
      metric: ownMetric(drain, 'UndeliveredBehindForeign', { period: Duration.minutes(15), statistic: 'Maximum' }),
      above: 0,
      periods: 4,
      hasEnd: true,
      part: 'drain',
      meaning:
        'Webhooks of Drawbridge wait behind older undelivered webhooks of another system. They are stored and have taken effect. Marking them would also mark those of that system.',
      remedy:
        'Read the line "found undelivered webhooks of another system" of Drain: it names the host. If the host was ours, add the former URL to the setting formerWebhooksUrls, and deploy. Otherwise have that system fetch and mark its undelivered webhooks.',
      commands: [readLines(drain, 'message', 'found undelivered webhooks of another system')],
    },
    UndeliveredUntimed: {
      metric: ownMetric(drain, 'UndeliveredUntimed', { period: Duration.minutes(15), statistic: 'Maximum' }),
      above: 0,
      periods: 4,
      hasEnd: true,
      part: 'drain',
      meaning:
        'The platform lists undelivered webhooks of Drawbridge with a createdOn that cannot be read. They are stored and have taken effect, but Drain cannot order them, and marks none itself. One that is still listed when its stored event is deleted takes effect again.',
      remedy:
        'drawbridge doctor --platform shows the form of the times. Ask the operator of the platform for the zone of times that name none, change the setting platformProfile.times.zone to it, or platformProfile.times.unit for numbers, and deploy. Ask the operator to remove webhooks without any time.',
      commands: [readLines(drain, 'message', 'found undelivered webhooks without a time')],
    },
  };
}
