import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { errorsOf } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import type { MissedRuns } from '#infra/parts/missed-runs.ts';
import { readErrors, showDeadLetters } from '#infra/parts/runbook-commands.ts';
import { DrawbridgeSchedule } from '#infra/parts/schedule.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';

export type WakeProps = CapabilityProps & {
  /** Takes the ids of onboardings to wake. */
  readonly queue: WorkQueue;
};

/** Sends the onboardings that are due to their queue, on a schedule. So no function sends to the queue that invokes it. */
export class Wake extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, data, alarms, missedRuns, queue }: WakeProps) {
    super(scope, id, {
      data,
      description: 'Sends the onboardings that are due to their queue',
      entry: 'functions/onboarding/wake/lambda.ts',
      environment: { ONBOARDINGS_TABLE: data.onboardings.tableName, ONBOARDING_QUEUE_URL: queue.queueUrl },
      memorySize: 512,
      timeout: Duration.minutes(1),
      logRetention: settings.logRetentionDays,
      onFailure: 'The next run, a minute later, does what this one left undone. Alarms report runs that fail.',
    });
    const { onboardings, key } = data;
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], onboardings.tableArn);
    this.allow(['dynamodb:Query'], `${onboardings.tableArn}/index/${onboardingKeys.due.index}`);
    this.allow(['sqs:SendMessage'], queue.queueArn);
    this.allow(['kms:Decrypt', 'kms:GenerateDataKey'], key.keyArn);
    new DrawbridgeSchedule(this, 'WakeRuns', {
      description: 'Has the onboardings that are due sent to their queue',
      every: Duration.minutes(1),
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction' },
      data,
      missedRuns,
    });
    alarms.add(alarmsOf(this, missedRuns));
  }
}

function alarmsOf(wake: Wake, missedRuns: MissedRuns) {
  return {
    WakeErrors: {
      metric: errorsOf(wake),
      above: 0,
      periods: 5,
      meaning:
        'Wake has failed for five minutes. Onboardings that are due may not continue. Those with a new webhook or request still do.',
      remedy:
        'Read the errors of Wake, and fix their cause: most likely DynamoDB or SQS refuses calls. If a line names an onboarding, only that row cannot be read. The next run continues with what is due.',
      commands: [...readErrors(wake), ...showDeadLetters(missedRuns)],
    },
  };
}
