import { Annotations } from 'aws-cdk-lib';
import type { RuleTargetConfig } from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { onlyThisAccount } from './only-this-account.ts';
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

/** Lets exactly this rule send to a queue, which needs a policy for its key too: {@link letEventBridgeUse}. */
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
 * Lets EventBridge send to queues that have the key. For the account and not for the rule: if SQS asks for the key, it does not
 * say which rule it is for.
 *
 * @param scope whose account it is, and where the warning stands
 * @param whyNot why the CDK may be unable to change the policy of the key
 */
export function letEventBridgeUse(key: IKey, scope: IConstruct, whyNot: string): void {
  const actions = ['kms:Decrypt', 'kms:GenerateDataKey'];
  const conditions = onlyThisAccount(scope);
  const statement = new PolicyStatement({ principals, actions, resources: ['*'], conditions });
  if (key.addToResourcePolicy(statement).statementAdded) return;
  Annotations.of(scope).addWarningV2(
    'drawbridge:keyPolicy',
    `${whyNot}: let events.amazonaws.com use kms:Decrypt and kms:GenerateDataKey in its policy, or nothing arrives.`,
  );
}
