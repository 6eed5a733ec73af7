import { Duration, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

export type DeadLetterQueueProps = {
  /** Encrypts it, where it is not to be SQS's own. */
  readonly key?: IKey | undefined;
  readonly fifo?: true;
  /** 14 days unless given. Longer than in the source, since a message keeps its age. */
  readonly retentionPeriod?: Duration;
  /** That of the source, where it is not the default of SQS. */
  readonly maxMessageSizeBytes?: number;
};

/** A queue for what could not be done. Whoever makes one puts an alarm on it. */
export function createDeadLetterQueue(scope: Construct, id: string, props: DeadLetterQueueProps): Queue {
  const { key, retentionPeriod = Duration.days(14), fifo, maxMessageSizeBytes } = props;
  const queue = new Queue(scope, id, {
    ...(key
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: key }
      : { encryption: QueueEncryption.SQS_MANAGED }),
    enforceSSL: true,
    retentionPeriod,
    ...(fifo && { fifo }),
    ...(maxMessageSizeBytes !== undefined && { maxMessageSizeBytes }),
  });
  Validations.of(queue).acknowledge({
    id: 'Serverless-SQSRedrivePolicy',
    reason: 'It is a dead-letter queue: what is here waits for a hand, and an alarm calls for it.',
  });
  return queue;
}
