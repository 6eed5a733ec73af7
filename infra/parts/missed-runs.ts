import { Duration, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { DataStack } from '#infra/data-stack.ts';
import { type Alarms, visibleMessages } from './alarms.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { purgeDeadLetters, showDeadLetters } from './runbook-commands.ts';

/** The dead-letter queue of all schedules: takes each run that could not be started. */
export class MissedRuns extends DeadLetterQueue {
  constructor(scope: Construct, id: string, { data, alarms }: { readonly data: DataStack; readonly alarms: Alarms }) {
    super(scope, id, { key: data.key, isRedriveTarget: false });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue of schedules, which the rule does not consider.',
    });
    alarms.add({
      MissedRuns: {
        metric: visibleMessages(this, Duration.minutes(1)),
        above: 0,
        hasEnd: true,
        part: 'drain',
        meaning: 'EventBridge Scheduler could not start a run. The message in the queue names the error.',
        remedy:
          'Fix the cause: most likely a permission is missing. Then purge the queue. The next run does the missed work.',
        commands: [showDeadLetters(this), purgeDeadLetters(this)],
      },
    });
  }
}
