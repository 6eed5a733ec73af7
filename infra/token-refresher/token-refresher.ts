import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { type AlarmDeclarations, oldestMessage, visibleMessages } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { countAllMessages, purgeDeadLetters, readErrors, showDeadLetters } from '#infra/parts/runbook-commands.ts';
import { DrawbridgeSchedule } from '#infra/parts/schedule.ts';
import { WorkQueue } from '#infra/parts/work-queue.ts';
import { maxQueueAgeSeconds } from '#shared/max-queue-age.ts';
import { refreshGroup, refreshInterval } from '#shared/secrets/platform-token.ts';
import { Refresh, refreshTimeout } from './refresh.ts';

/** Keeps the platform's token fresh: schedule, and reports of rejected tokens → queue → refresh → secret. */
export class TokenRefresher extends Construct {
  /** Of one message group (`refreshGroup`), so that there are never two refreshes at a time. */
  readonly queue: WorkQueue;
  readonly refresh: Refresh;

  constructor(scope: Construct, id: string, props: CapabilityProps) {
    super(scope, id);
    const { data, alarms } = props;
    this.queue = new WorkQueue(this, 'TokenRefreshes', {
      key: data.key,
      functionTimeout: refreshTimeout,
      retentionPeriod: Duration.days(1),
      // Reports about tokens are of no use by then: they expire without an operator.
      deadLetterRetention: Duration.days(2),
      // However many callers report the same token, it is one message in five minutes.
      fifo: true,
    });
    this.refresh = new Refresh(this, 'Refresh', { ...props, queue: this.queue });
    new DrawbridgeSchedule(this, 'TokenRefresh', {
      ...props,
      description: 'Has the token refresher check the platform token',
      every: Duration.millis(refreshInterval),
      target: { arn: this.queue.queueArn, action: 'sqs:SendMessage', messageGroup: refreshGroup },
    });
    alarms.add(alarmsOf(this));
  }
}

function alarmsOf({ queue, refresh }: TokenRefresher): AlarmDeclarations {
  return {
    // Waits for nothing: a refresh that never runs keeps NotConfigured, and all alarms that wait for it, without data.
    TokenRefreshesLate: {
      metric: oldestMessage(queue),
      above: maxQueueAgeSeconds.TokenRefreshes,
      periods: 3,
      hasEnd: true,
      part: 'refresh',
      meaning:
        'Lambda does not hand the messages of the queue to Refresh, or Refresh keeps failing: a FIFO queue also counts messages that failed. Failed refreshes are in TokenRefreshesFailed.',
      remedy:
        'If TokenRefreshesFailed is on, follow it. If not, check in Lambda whether the trigger of Refresh is enabled, and read its last result. A deployment restores the trigger.',
      commands: [countAllMessages, ...readErrors(refresh)],
    },
    TokenRefreshesDlq: {
      metric: visibleMessages(queue.deadLetters),
      above: 0,
      hasEnd: true,
      part: 'refresh',
      meaning: `Every refresh of the platform token has failed for more than ${queue.retriedFor.toHours()} hours.`,
      remedy:
        'Read the errors of Refresh and fix their cause. Once the alarm TokenRunsOut is over, purge the dead-letter queue.',
      commands: [showDeadLetters(queue.deadLetters), ...readErrors(refresh), purgeDeadLetters(queue.deadLetters)],
    },
  };
}
