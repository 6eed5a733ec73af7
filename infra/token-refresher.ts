import { Duration, Validations } from 'aws-cdk-lib';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export type TokenRefresherProps = { readonly key: Key };

const refreshTimeout = Duration.seconds(30);

/** Keeps the platform's token fresh. */
export class TokenRefresher extends Construct {
  /** Reports of rejected tokens. Of one group (`refreshGroup`), so that there are never two refreshes at a time. */
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { key }: TokenRefresherProps) {
    super(scope, id);
    const protection = { encryption: QueueEncryption.KMS, encryptionMasterKey: key, enforceSSL: true };
    this.deadLetterQueue = new Queue(this, 'TokenRefreshesDlq', {
      ...protection,
      fifo: true,
      retentionPeriod: Duration.days(2),
    });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue: an alarm calls for a hand, and what is here is of no use after a day.',
    });
    this.queue = new Queue(this, 'TokenRefreshes', {
      ...protection,
      fifo: true,
      // However many report the same token, it is one message in five minutes.
      contentBasedDeduplication: true,
      retentionPeriod: Duration.days(1),
      visibilityTimeout: Duration.seconds(refreshTimeout.toSeconds() * 6),
      // At 3 minutes a try, 90 minutes: by then a token of an hour is over, and its report with it.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 30 },
    });
  }
}
