import { Validations } from 'aws-cdk-lib';
import { type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { acknowledgeForCheckov } from './acknowledge.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';

export type EventQueueProps = {
  /** Which events, as the console shows it. */
  readonly description: string;
  /** Of events that hold no personal data: the key of the queue is that of SQS. */
  readonly eventPattern: EventPattern;
  /** Why EventBridge needs no dead-letter queue. A sentence. */
  readonly onLoss: string;
};

/** Takes events of AWS from the default bus of the account, until an operator has seen them. Needs an alarm. */
export class EventQueue extends DeadLetterQueue {
  readonly #onLoss: string;

  constructor(scope: Construct, id: string, { description, eventPattern, onLoss }: EventQueueProps) {
    super(scope, id, { isRedriveTarget: false });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'No function receives from it: its messages wait for an operator, whom an alarm calls.',
    });
    acknowledgeForCheckov(
      this,
      'CKV_AWS_27',
      'SQS encrypts it with a key of its own: its events hold names of resources and errors, and nothing of a row.',
    );
    this.#onLoss = onLoss;
    this.addRule('Rule', { description, eventPattern });
  }

  /** Takes these events too. */
  protected addRule(id: string, { description, eventPattern }: Omit<EventQueueProps, 'onLoss'>): void {
    const rule = new Rule(this, id, { description, eventPattern, targets: [new SqsQueue(this)] });
    Validations.of(rule).acknowledge({ id: 'Serverless-EventBusDLQ', reason: this.#onLoss });
  }
}
