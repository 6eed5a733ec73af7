import type { RuleTargetConfig } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { eventBridgeRetries } from './retries.ts';

const principals = [new ServicePrincipal('events.amazonaws.com')];

/** A queue as the target of a rule. The dead-letter queue takes what the rule cannot hand over. */
export function queueTarget(queue: Queue, deadLetterQueue: Queue): RuleTargetConfig {
  return {
    arn: queue.queueArn,
    retryPolicy: {
      maximumEventAgeInSeconds: eventBridgeRetries.maxEventAge.toSeconds(),
      maximumRetryAttempts: eventBridgeRetries.retryAttempts,
    },
    deadLetterConfig: { arn: deadLetterQueue.queueArn },
  };
}

/** Lets exactly this rule send to a queue, which needs a policy for its key too: {@link useOfKey}. */
export function letRuleSend(ruleArn: string, queue: Queue): void {
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals,
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': ruleArn } },
    }),
  );
}

/**
 * Lets EventBridge send to queues that have the key. For the account and not for the rule: where SQS asks for the key, it does not
 * say which rule it is for.
 */
export function useOfKey(conditions: { readonly StringEquals: Readonly<Record<string, string>> }): PolicyStatement {
  return new PolicyStatement({
    principals,
    actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    resources: ['*'],
    conditions,
  });
}
