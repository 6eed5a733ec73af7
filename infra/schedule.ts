import { type Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { createDeadLetterQueue } from './dead-letter-queue.ts';

export type DrawbridgeScheduleProps = {
  /** What it does, for whoever reads the console. */
  readonly description: string;
  readonly every: Duration;
  readonly target: {
    readonly arn: string;
    readonly action: 'lambda:InvokeFunction' | 'sqs:SendMessage';
    /** For a FIFO queue. */
    readonly messageGroup?: string;
    /** What it is started with, in place of the event of the schedule. */
    readonly input?: object;
  };
  /** Encrypts the queues. */
  readonly key: Key;
  /** Where a run goes that could not be started. */
  readonly missedRuns: Queue;
};

/**
 * The one way to run something again and again: EventBridge Scheduler, as a role that may start exactly this. A run that
 * cannot be started is tried again until the next one is due, and then left where an alarm sees it.
 */
export class DrawbridgeSchedule extends Construct {
  constructor(scope: Construct, id: string, { description, every, target, key, missedRuns }: DrawbridgeScheduleProps) {
    super(scope, id);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    const allow = (actions: string[], resource: string) =>
      role.addToPolicy(new PolicyStatement({ actions, resources: [resource] }));
    allow([target.action], target.arn);
    allow(['sqs:SendMessage'], missedRuns.queueArn);
    allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    const { messageGroup, input } = target;
    const config = {
      arn: target.arn,
      role,
      retryPolicy: { maximumEventAgeInSeconds: every.toSeconds(), maximumRetryAttempts: 10 },
      deadLetterConfig: { arn: missedRuns.queueArn },
      ...(messageGroup !== undefined && { sqsParameters: { messageGroupId: messageGroup } }),
      ...(input !== undefined && { input: ScheduleTargetInput.fromObject(input) }),
    };
    new Schedule(this, 'Resource', {
      description,
      schedule: ScheduleExpression.rate(every),
      target: { bind: () => config },
    });
  }
}

/** The dead-letter queue of all schedules. */
export function createMissedRunsQueue(scope: Construct, id: string, key: Key): Queue {
  const queue = createDeadLetterQueue(scope, id, { key });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is the dead-letter queue of schedules, which the rule does not look at.',
  });
  return queue;
}
