import type { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { DataStack } from '#infra/data-stack.ts';
import { acknowledgeInlinePolicy } from './acknowledge.ts';
import type { MissedRuns } from './missed-runs.ts';
import { onlyThisAccount } from './only-this-account.ts';
import { scheduleRetryAttempts } from './retries.ts';
import { type Conditions, useKey, via } from './use-key.ts';

export type DrawbridgeScheduleProps = {
  /** What it does, as the console shows it. */
  readonly description: string;
  readonly every: Duration;
  readonly target: {
    readonly arn: string;
    readonly action: 'lambda:InvokeFunction' | 'sqs:SendMessage';
    /** For a FIFO queue. */
    readonly messageGroup?: string;
    /** The input of the target, in place of the default event of the schedule. */
    readonly input?: object;
  };
  readonly data: DataStack;
  readonly missedRuns: MissedRuns;
};

/**
 * Starts something at a fixed rate: EventBridge Scheduler, with a role that may start exactly this. A run that cannot be
 * started is tried again until the next run is due. Then it goes to the missed runs, which have an alarm.
 */
export class DrawbridgeSchedule extends Construct {
  constructor(scope: Construct, id: string, { description, every, target, data, missedRuns }: DrawbridgeScheduleProps) {
    super(scope, id);
    const scheduler = new ServicePrincipal('scheduler.amazonaws.com', { conditions: onlyThisAccount(this) });
    const role = new Role(this, 'Role', { assumedBy: scheduler });
    acknowledgeInlinePolicy(role);
    const allow = (actions: string[], resource: string, conditions: Conditions = {}) =>
      role.addToPolicy(new PolicyStatement({ actions, resources: [resource], conditions }));
    allow([target.action], target.arn);
    allow(['sqs:SendMessage'], missedRuns.queueArn);
    allow([...useKey], data.key.keyArn, via('sqs'));
    const { messageGroup, input } = target;
    const config = {
      arn: target.arn,
      role,
      retryPolicy: { maximumEventAgeInSeconds: every.toSeconds(), maximumRetryAttempts: scheduleRetryAttempts },
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
