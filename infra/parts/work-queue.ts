import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { maxReceiveCountOf } from './max-receive-count.ts';
import { visibilityTimeoutOf } from './retries.ts';

export type WorkQueueProps = {
  readonly key: IKey;
  /** The time limit of the function that takes the messages. */
  readonly functionTimeout: Duration;
  readonly retentionPeriod: Duration;
  /** 14 days unless given. */
  readonly deadLetterRetention?: Duration;
  /** In the queue and in its dead-letter queue, if it is not the default of SQS. */
  readonly maxMessageSizeBytes?: number;
  /** Takes messages in order, and an equal one only once in five minutes. */
  readonly fifo?: true;
};

/** A queue that one function works on, with the dead-letter queue of what that function could not do. */
export class WorkQueue extends Queue {
  readonly deadLetters: DeadLetterQueue;
  readonly maxReceiveCount: number;
  readonly visibilityTimeout: Duration;
  readonly retentionPeriod: Duration;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    const { key, functionTimeout, retentionPeriod, deadLetterRetention, maxMessageSizeBytes, fifo } = props;
    const visibilityTimeout = visibilityTimeoutOf(functionTimeout);
    const maxReceiveCount = maxReceiveCountOf(visibilityTimeout.toSeconds());
    const shared = { ...(fifo && { fifo }), ...(maxMessageSizeBytes !== undefined && { maxMessageSizeBytes }) };
    const deadLetters = new DeadLetterQueue(scope, `${id}Dlq`, {
      key,
      retentionPeriod: deadLetterRetention,
      isRedriveTarget: true,
      ...shared,
    });
    super(scope, id, {
      encryption: QueueEncryption.KMS,
      encryptionMasterKey: key,
      enforceSSL: true,
      retentionPeriod,
      visibilityTimeout,
      deadLetterQueue: { queue: deadLetters, maxReceiveCount },
      // Failed messages of another queue would be taken for work.
      redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL },
      ...shared,
      ...(fifo && { contentBasedDeduplication: true }),
    });
    this.deadLetters = deadLetters;
    this.maxReceiveCount = maxReceiveCount;
    this.visibilityTimeout = visibilityTimeout;
    this.retentionPeriod = retentionPeriod;
  }

  /** How long a message fails before it moves to the dead-letter queue. */
  get retriedFor(): Duration {
    return Duration.seconds(this.maxReceiveCount * this.visibilityTimeout.toSeconds());
  }
}
