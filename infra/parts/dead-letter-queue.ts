import { Duration, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export type DeadLetterQueueProps = {
  /** Encrypts the queue. Without it SQS uses a key of its own. */
  readonly key?: IKey | undefined;
  readonly fifo?: true | undefined;
  /** 14 days unless given. Longer than in the source queue, since a message keeps its age. */
  readonly retentionPeriod?: Duration | undefined;
  /** That of the source queue, if it is not the default of SQS. */
  readonly maxMessageSizeBytes?: number | undefined;
  /**
   * Whether queues may name this one in their redrive policy: if `false`, SQS refuses every such queue. CloudFormation cannot
   * allow a single queue, since each of the two would need the ARN of the other.
   */
  readonly isRedriveTarget: boolean;
};

/** The most that SQS offers. */
const longestRetention = Duration.days(14);

/** A queue for messages that could not be processed. Each needs an alarm. */
export class DeadLetterQueue extends Queue {
  /** For how long a message is kept, from when it was first sent. */
  readonly retentionPeriod: Duration;

  constructor(scope: Construct, id: string, props: DeadLetterQueueProps) {
    const { key, retentionPeriod = longestRetention, fifo, maxMessageSizeBytes, isRedriveTarget } = props;
    super(scope, id, {
      ...(key
        ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
        : { encryption: QueueEncryption.SQS_MANAGED }),
      enforceSSL: true,
      retentionPeriod,
      ...(!isRedriveTarget && { redriveAllowPolicy: { redrivePermission: RedrivePermission.DENY_ALL } }),
      ...(fifo && { fifo }),
      ...(maxMessageSizeBytes !== undefined && { maxMessageSizeBytes }),
    });
    this.retentionPeriod = retentionPeriod;
    Validations.of(this).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is a dead-letter queue: its messages wait for an operator, whom an alarm calls.',
    });
  }
}
