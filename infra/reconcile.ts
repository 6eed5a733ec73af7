import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { entityKeys } from '#shared/entity-row.ts';
import { onboardingKeys } from '#shared/onboarding-keys.ts';
import { DrawbridgeFunction } from './function.ts';
import { allowPlatform, type PlatformAccess } from './platform-access.ts';
import { DrawbridgeSchedule } from './schedule.ts';
import type { Settings } from './settings.ts';

export type ReconcileProps = PlatformAccess & {
  readonly settings: Settings;
  readonly events: Table;
  readonly entities: Table;
  readonly checkpoints: Table;
  /** Those that have waited too long are woken by their queue; the verifications of all are held against the platform. */
  readonly onboardings: Table;
  readonly onboardingQueue: Queue;
  /** Where `store`, the only one to write entities, takes what was read back. */
  readonly webhooks: Queue;
  readonly missedRuns: Queue;
};

/** Holds entities against the platform, again and again, and when somebody invokes it. It writes none of them. */
export class Reconcile extends DrawbridgeFunction {
  /** How often it runs. */
  readonly interval: Duration;

  constructor(scope: Construct, id: string, props: ReconcileProps) {
    const { settings, events, entities, checkpoints, onboardings, onboardingQueue, webhooks, missedRuns, ...access } =
      props;
    const { reconciliation } = settings;
    super(scope, id, {
      description: 'Holds persons and verifications against the platform, and has repaired what differs',
      entry: 'functions/retry-undelivered/reconcile.lambda.ts',
      environment: {
        EVENTS_TABLE: events.tableName,
        ENTITIES_TABLE: entities.tableName,
        CHECKPOINTS_TABLE: checkpoints.tableName,
        QUEUE_URL: webhooks.queueUrl,
        ONBOARDINGS_TABLE: onboardings.tableName,
        ONBOARDING_QUEUE_URL: onboardingQueue.queueUrl,
        CALLS_PER_SECOND: String(reconciliation.callsPerSecond),
        GRACE_MINUTES: String(reconciliation.graceMinutes),
        READ_BACK_AFTER_HOURS: String(reconciliation.readBackAfterHours),
        STALE_AFTER_HOURS: String(reconciliation.staleAfterHours),
        REQUESTOR: settings.onboarding?.requestor ?? 'self',
      },
      memorySize: 1_024,
      timeout: Duration.minutes(15),
      logRetention: settings.logRetentionDays,
    });
    this.interval = Duration.hours(reconciliation.everyHours);
    allowPlatform(this, { settings, ...access });
    this.allow(['dynamodb:GetItem'], events.tableArn);
    this.allow(['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:Scan'], entities.tableArn);
    this.allow(['dynamodb:Query'], `${entities.tableArn}/index/${entityKeys.readBack.index}`);
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], checkpoints.tableArn);
    this.allow(['sqs:SendMessage'], webhooks.queueArn);
    this.allow(['dynamodb:Query'], `${onboardings.tableArn}/index/${onboardingKeys.due.index}`);
    this.allow(['dynamodb:Scan'], `${onboardings.tableArn}/index/${onboardingKeys.person.index}`);
    this.allow(['sqs:SendMessage'], onboardingQueue.queueArn);
    new DrawbridgeSchedule(this, 'ReconcileRuns', {
      description: 'Has entities held against the platform, and what differs repaired',
      every: this.interval,
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction', input: { mode: 'repair' } },
      key: props.key,
      missedRuns,
    });
    Validations.of(this.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'What a run leaves undone the next one does, from the checkpoint; alarms tell of runs that fail.',
    });
  }
}
