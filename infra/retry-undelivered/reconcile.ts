import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type AlarmDeclarations, errorsOf, ownMetric } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import type { MissedRuns } from '#infra/parts/missed-runs.ts';
import { addOutput } from '#infra/parts/output.ts';
import type { PlatformAccess } from '#infra/parts/platform-access.ts';
import { drawbridge, readErrors, readWarnings, showDeadLetters } from '#infra/parts/runbook-commands.ts';
import { DrawbridgeSchedule } from '#infra/parts/schedule.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WebhookIngest } from '#infra/webhook-ingest/webhook-ingest.ts';
import { entityKeys } from '#shared/entities/entity-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { walkNodeOptions } from './node-options.ts';

export type ReconcileProps = CapabilityProps & {
  readonly platformAccess: PlatformAccess;
  /** Takes what was read back: `store` is the only function that writes entities. */
  readonly webhookIngest: WebhookIngest;
};

/** Compares entities with the platform, on a schedule and when an operator invokes it. Writes of an entity only when it is due. */
export class Reconcile extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: ReconcileProps) {
    const { settings, data, alarms, missedRuns, platformAccess, webhookIngest } = props;
    const { key, events, entities, checkpoints, onboardings, persons } = data;
    const { reconciliation } = settings;
    const interval = Duration.hours(reconciliation.everyHours);
    super(scope, id, {
      data,
      settings,
      description: 'Compares persons, verifications and transfers with the platform, and has differences repaired',
      entry: 'functions/retry-undelivered/reconcile/lambda.ts',
      environment: {
        NODE_OPTIONS: walkNodeOptions,
        EVENTS_TABLE: events.tableName,
        ENTITIES_TABLE: entities.tableName,
        CHECKPOINTS_TABLE: checkpoints.tableName,
        PERSONS_TABLE: persons.tableName,
        EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
        QUEUE_URL: webhookIngest.queue.queueUrl,
        ONBOARDINGS_TABLE: onboardings.tableName,
        CALLS_PER_SECOND: String(reconciliation.callsPerSecond),
        GRACE_MINUTES: String(reconciliation.graceMinutes),
        LIST_EVERY_HOURS: String(reconciliation.listEveryHours),
        READ_BACK_AFTER_HOURS: String(reconciliation.readBackAfterHours),
        STALE_AFTER_HOURS: String(reconciliation.staleAfterHours),
        REQUESTOR: settings.onboarding?.requestor ?? 'self',
      },
      memorySize: 1_024,
      timeout: Duration.minutes(15),
      callsPlatform: true,
      runsEvery: interval,
      onFailure: 'The next run does what this one left undone, from the checkpoint. Alarms report runs that fail.',
    });
    platformAccess.grant(this);
    this.allow(['dynamodb:GetItem', 'dynamodb:Scan', 'dynamodb:UpdateItem'], events.tableArn);
    this.allow(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:Scan', 'dynamodb:UpdateItem'], entities.tableArn);
    this.allow(['dynamodb:Query'], `${entities.tableArn}/index/${entityKeys.due.index}`);
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], checkpoints.tableArn);
    this.allow(['dynamodb:PutItem'], persons.tableArn);
    this.allow(['sqs:SendMessage'], webhookIngest.queue.queueArn);
    this.allow(useKey, key.keyArn, via('dynamodb', 'sqs'));
    this.allow(['dynamodb:Scan'], `${onboardings.tableArn}/index/${onboardingKeys.person.index}`);
    new DrawbridgeSchedule(this, 'ReconcileRuns', {
      description: 'Has entities compared with the platform, and differences repaired',
      every: interval,
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction', input: { mode: 'repair' } },
      data,
      missedRuns,
    });
    alarms.add(alarmsOf(this, interval, missedRuns));
    addOutput(
      this,
      'ReconcileFunction',
      'Invoke it with {"mode": "report"} to see what differs from the platform, and "repair" to have it repaired',
      this.lambda.functionName,
    );
  }
}

function alarmsOf(reconcile: Reconcile, interval: Duration, missedRuns: MissedRuns): AlarmDeclarations {
  return {
    ReconcileErrors: {
      metric: errorsOf(reconcile, interval),
      above: 0,
      periods: 2,
      hasEnd: true,
      part: 'reconcile',
      meaning: 'Two runs of Reconcile have failed in a row. The next run continues from the checkpoint.',
      remedy: 'Read the errors of Reconcile. They name the cause: the platform, its token, DynamoDB or SQS.',
      commands: readErrors(reconcile),
    },
    ReconcileSilent: {
      metric: ownMetric(reconcile, 'ReconciliationsCompleted', { period: Duration.days(1), statistic: 'SampleCount' }),
      below: 1,
      onlyWhenConfigured: true,
      hasEnd: true,
      part: 'reconcile',
      meaning: 'No run of Reconcile has read back all that was due.',
      remedy:
        'Check in MissedRuns whether the schedule starts Reconcile. Then read the errors of Reconcile, and check its throttles in CloudWatch. If runs succeed, raise the setting reconciliation.callsPerSecond and deploy.',
      commands: [showDeadLetters(missedRuns), ...readErrors(reconcile)],
    },
    DriftFound: {
      metric: ownMetric(reconcile, 'DriftFound', { period: Duration.hours(1), statistic: 'Sum' }),
      above: 0,
      hasEnd: false,
      part: 'reconcile',
      meaning:
        'Persons, verifications or transfers differed from the platform, because their webhooks never arrived, or are older than the first deployment. Store repairs them, and DriftRepaired on the bus says what differed.',
      remedy:
        'If neither RegistrationsMissing nor RegistrationsDrifted went off before, ask the operator of the platform. Check orders of that time on the platform: they cannot be read back.',
      commands: [readWarnings(reconcile), drawbridge('reconcile report', 'Changes nothing')],
    },
  };
}
