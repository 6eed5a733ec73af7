import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DrawbridgeFunction } from './function.ts';
import { allowPlatform, type PlatformAccess } from './platform-access.ts';
import { Reconcile } from './reconcile.ts';
import { formerWebhooksUrlsVariable } from './register.ts';
import { DrawbridgeSchedule } from './schedule.ts';
import type { Settings } from './settings.ts';

export type RetryUndeliveredProps = PlatformAccess & {
  readonly settings: Settings;
  readonly events: Table;
  readonly entities: Table;
  readonly checkpoints: Table;
  readonly onboardings: Table;
  readonly onboardingQueue: Queue;
  /** Where `store` takes what is to have an effect. */
  readonly webhooks: Queue;
  /** Where webhooks of ours are delivered, and the secret that they carry: others are another system's. */
  readonly webhooksUrl: string;
  readonly webhookSecret: Secret;
  /** Where a run goes that the schedule could not start. */
  readonly missedRuns: Queue;
};

/** A run begins so often, and is over before the next begins. */
export const drainInterval = Duration.minutes(5);
const drainTimeout = Duration.minutes(4);

/**
 * Fetches what the platform could not deliver: schedule → drain → events table, webhooks queue; and marks it there. What it
 * failed to tell at all is found by asking: schedule → reconcile → webhooks queue.
 */
export class RetryUndelivered extends Construct {
  readonly drain: DrawbridgeFunction;
  readonly reconcile: Reconcile;

  constructor(scope: Construct, id: string, props: RetryUndeliveredProps) {
    super(scope, id);
    this.drain = this.#drain(props);
    this.reconcile = new Reconcile(this, 'Reconcile', props);
    new DrawbridgeSchedule(this, 'DrainRuns', {
      description: 'Fetches the webhooks that the platform could not deliver',
      every: drainInterval,
      target: { arn: this.drain.lambda.functionArn, action: 'lambda:InvokeFunction' },
      key: props.key,
      missedRuns: props.missedRuns,
    });
  }

  #drain({
    settings,
    events,
    checkpoints,
    webhooks,
    webhooksUrl,
    webhookSecret,
    ...props
  }: RetryUndeliveredProps): DrawbridgeFunction {
    const drain = new DrawbridgeFunction(this, 'Drain', {
      description: 'Takes in the undelivered webhooks, and marks them on the platform once they are stored',
      entry: 'functions/retry-undelivered/drain.lambda.ts',
      environment: {
        EVENTS_TABLE: events.tableName,
        EVENT_RETENTION_DAYS: String(settings.eventRetentionDays),
        CHECKPOINTS_TABLE: checkpoints.tableName,
        QUEUE_URL: webhooks.queueUrl,
        WEBHOOKS_URL: webhooksUrl,
        SECRET_ID: webhookSecret.secretArn,
        ...formerWebhooksUrlsVariable(settings),
      },
      memorySize: 1_024,
      timeout: drainTimeout,
      logRetention: settings.logRetentionDays,
    });
    allowPlatform(drain, { settings, ...props });
    drain.allow(['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'], events.tableArn);
    drain.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], checkpoints.tableArn);
    drain.allow(['sqs:SendMessage'], webhooks.queueArn);
    drain.allow(['secretsmanager:GetSecretValue'], webhookSecret.secretArn);
    Validations.of(drain).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'What a run leaves undone the next one does, from the checkpoint; alarms tell of runs that fail.',
    });
    return drain;
  }
}
