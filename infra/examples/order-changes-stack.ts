import { Stack, type StackProps } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { BusSubscription } from '#infra/bus-subscription.ts';
import { DeadLetterQueue } from '#infra/parts/dead-letter-queue.ts';

export type OrderChangesStackProps = StackProps & {
  /** The environment of Drawbridge: the name of its settings file. */
  readonly drawbridge: string;
};

/** An example of a partner's own stack: a queue that gets each change of the status of an order, or of a transfer. */
export class OrderChangesStack extends Stack {
  constructor(scope: Construct, id: string, { drawbridge, ...props }: OrderChangesStackProps) {
    super(scope, id, props);
    // Takes the messages that the partner's own system fails to process. Put an alarm on it.
    const failed = new DeadLetterQueue(this, 'OrderChangesFailed', { isRedriveTarget: true });
    const deadLetterQueue = { queue: failed, maxReceiveCount: 5 };

    const queue = new Queue(this, 'OrderChanges', { enforceSSL: true, deadLetterQueue });
    const detailTypes = ['OrderStatusChanged', 'TransferStatusChanged'];
    new BusSubscription(this, 'OrderSubscription', { environment: drawbridge, detailTypes, queue });
  }
}
