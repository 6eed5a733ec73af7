import { Validations } from 'aws-cdk-lib';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { type Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { publishedDetailTypes } from '#shared/api/published-detail-types.ts';
import type { EntityDetailType, OtherDetailType } from '#shared/bus/event-details.ts';
import type { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { busNameOf } from './bus-name.ts';
import { DeadLetterQueue } from './parts/dead-letter-queue.ts';
import { letEventBridgeUse, letRuleSend, queueTarget } from './parts/rule-target.ts';

/** An event that Drawbridge publishes. */
export type DetailType = EntityDetailType | OtherDetailType | keyof typeof onboardingDetails;

export type BusSubscriptionProps = {
  /** The environment of Drawbridge: the name of its settings file. */
  readonly environment: string;
  /** Which events, such as `OrderStatusChanged`: the names in docs/reference/events.md. At least one. */
  readonly detailTypes: readonly string[];
  /** A standard queue of the same stack, with a key of its own or with SQS's. */
  readonly queue: Queue;
};

/** The queue cannot be subscribed to the bus. The message says why. */
export class BusSubscriptionError extends Error {
  override readonly name = 'BusSubscriptionError';
}

/**
 * Subscribes a queue of the partner's own to what Drawbridge publishes. It knows the bus only by its name, so it lives
 * in any stack of the same account and region, and that stack and ours are deployed apart from each other.
 *
 * Each message is an event in the envelope of EventBridge. It may come twice, and out of order: of two changes of an
 * entity, or steps of an onboarding, the one with the higher `sequence` is the later.
 *
 * @throws {BusSubscriptionError} when EventBridge could never deliver to that queue
 */
export class BusSubscription extends Construct {
  /** Takes the events that EventBridge gave up handing to the queue. Put an alarm on it. */
  readonly deadLetterQueue: Queue;
  readonly rule: Rule;

  constructor(scope: Construct, id: string, { environment, detailTypes, queue }: BusSubscriptionProps) {
    super(scope, id);
    assertDeliverable(detailTypes, queue);
    const key = queue.encryptionMasterKey;
    this.deadLetterQueue = new DeadLetterQueue(this, `${id}Dlq`, { key, isRedriveTarget: false });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of a rule, which the check does not consider.',
    });
    const target = queueTarget(queue, this.deadLetterQueue);
    this.rule = new Rule(this, 'Resource', {
      description: `Hands ${detailTypes.join(', ')} of Drawbridge to a queue`,
      eventBus: EventBus.fromEventBusName(this, 'Bus', busNameOf(environment)),
      eventPattern: { source: ['drawbridge'], detailType: [...detailTypes] },
      targets: [{ bind: () => target }],
    });
    for (const taking of [queue, this.deadLetterQueue]) letRuleSend(this.rule.ruleArn, taking);
    if (key !== undefined) letEventBridgeUse(key, this, 'The key of the queue is of another stack');
  }
}

function assertDeliverable(detailTypes: readonly string[], queue: Queue): void {
  const unknown = detailTypes.filter((detailType) => !publishedDetailTypes.includes(detailType));
  if (detailTypes.length === 0 || unknown.length > 0)
    throw new BusSubscriptionError(
      `Name at least one detail-type of ${publishedDetailTypes.join(', ')}. Not known: ${unknown.join(', ') || 'none named'}.`,
    );
  if (queue.fifo)
    throw new BusSubscriptionError(
      'Subscribe a standard queue: EventBridge keeps no order that a FIFO queue could keep. Compare the sequence of changes.',
    );
  if (queue.encryptionType === QueueEncryption.KMS_MANAGED)
    throw new BusSubscriptionError(
      'EventBridge cannot use the key alias/aws/sqs: give the queue a key of its own, or QueueEncryption.SQS_MANAGED.',
    );
}
