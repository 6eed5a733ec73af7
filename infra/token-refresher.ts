import { Duration, Validations } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { refreshGroup, refreshInterval } from '#shared/token-report.ts';
import { createDeadLetterQueue } from './dead-letter-queue.ts';
import { DrawbridgeFunction } from './function.ts';
import { profileVariable } from './platform-access.ts';
import { DrawbridgeSchedule } from './schedule.ts';
import type { Settings } from './settings.ts';

export type TokenRefresherProps = {
  readonly settings: Settings;
  readonly key: Key;
  readonly platformToken: Secret;
  readonly platformCredentials: Secret;
  /** Where a run goes that the schedule could not start. */
  readonly missedRuns: Queue;
};

const refreshTimeout = Duration.seconds(20);

/** Keeps the platform's token fresh: schedule, and reports of rejected tokens → queue → refresh → secret. */
export class TokenRefresher extends Construct {
  /** Of one message group (`refreshGroup`), so that there are never two refreshes at a time. */
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly refresh: DrawbridgeFunction;

  constructor(scope: Construct, id: string, props: TokenRefresherProps) {
    super(scope, id);
    const { key, missedRuns } = props;
    this.deadLetterQueue = createDeadLetterQueue(this, 'TokenRefreshesDlq', {
      key,
      fifo: true,
      // What is here is of no use by then: it goes without a hand.
      retentionPeriod: Duration.days(2),
    });
    this.queue = new Queue(this, 'TokenRefreshes', {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      enforceSSL: true,
      fifo: true,
      // However many report the same token, it is one message in five minutes.
      contentBasedDeduplication: true,
      retentionPeriod: Duration.days(1),
      visibilityTimeout: Duration.seconds(refreshTimeout.toSeconds() * 6),
      // At 2 minutes a try, three hours: long after a token is over, and its report with it.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 100 },
    });
    this.refresh = this.#refresh(props);
    new DrawbridgeSchedule(this, 'TokenRefresh', {
      description: 'Has the token refresher look at the platform token',
      every: Duration.millis(refreshInterval),
      target: { arn: this.queue.queueArn, action: 'sqs:SendMessage', messageGroup: refreshGroup },
      key,
      missedRuns,
    });
  }

  #refresh({ settings, key, platformToken, platformCredentials }: TokenRefresherProps): DrawbridgeFunction {
    const refresh = new DrawbridgeFunction(this, 'Refresh', {
      description: 'Replaces the platform token before half its life is over, or when the platform refuses it',
      entry: 'functions/token-refresher/refresh.lambda.ts',
      environment: {
        PLATFORM_AUTH_URL: settings.platform.authUrl,
        PLATFORM_TOKEN_SECRET_ID: platformToken.secretArn,
        PLATFORM_CREDENTIALS_SECRET_ID: platformCredentials.secretArn,
        ...profileVariable(settings),
      },
      memorySize: 512,
      timeout: refreshTimeout,
      logRetention: settings.logRetentionDays,
    });
    refresh.allow(['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'], platformToken.secretArn);
    refresh.allow(['secretsmanager:GetSecretValue'], platformCredentials.secretArn);
    refresh.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    // One message at a time, so that the reports of a batch cannot refresh side by side.
    refresh.lambda.addEventSource(new SqsEventSource(this.queue, { batchSize: 1, reportBatchItemFailures: true }));
    Validations.of(refresh).acknowledge(
      {
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason: 'A queue takes no destination for what fails: its redrive policy moves it to the dead-letter queue.',
      },
      {
        id: 'Serverless-LambdaDLQ',
        reason: 'Never invoked asynchronously: the schedule too goes through the queue, which keeps what fails.',
      },
    );
    return refresh;
  }
}
