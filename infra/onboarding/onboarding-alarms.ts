import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type AlarmDeclarations, errorsOf, oldestMessage, visibleMessages } from '#infra/parts/alarms.ts';
import {
  countAllMessages,
  readErrors,
  readFailedMessages,
  redrive,
  showDeadLetters,
} from '#infra/parts/runbook-commands.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import { maxQueueAgeSeconds } from '#shared/max-queue-age.ts';
import type { Advance } from './advance.ts';
import type { RequestEvent } from './request-event.ts';

/** The alarms of the queue by which onboardings are woken. */
export function queueAlarms(queue: WorkQueue, advance: Advance): AlarmDeclarations {
  return {
    OnboardingDlq: {
      metric: visibleMessages(queue.deadLetters),
      above: 0,
      hasEnd: true,
      part: 'onboarding',
      meaning: `Advance failed on messages ${queue.maxReceiveCount} times, over about ${queue.retriedFor.toHours()} hours. They hold no personal data. The queue keeps them until ${queue.deadLetters.retentionPeriod.toDays()} days after they were sent.`,
      remedy:
        'Read the errors of Advance and fix their cause: most likely DynamoDB, SQS or EventBridge refuses calls. Then redrive the dead-letter queue to the onboarding queue.',
      commands: [showDeadLetters(queue.deadLetters), ...readErrors(advance), readFailedMessages, redrive(queue)],
    },
    OnboardingLate: {
      metric: oldestMessage(queue),
      above: maxQueueAgeSeconds.Onboarding,
      periods: 3,
      hasEnd: true,
      part: 'onboarding',
      meaning: `Onboardings wait to advance. Those that Advance fails on are in MessagesFailedRepeatedly. The queue keeps them for ${queue.retentionPeriod.toDays()} days.`,
      remedy:
        'Read the errors of Advance, and check its throttles and durations in CloudWatch. If the platform is slow, wait, or raise the setting onboardingConcurrency and deploy.',
      commands: [countAllMessages, ...readErrors(advance)],
    },
  };
}

/**
 * The alarms of requests that arrive on the bus.
 *
 * @param rule the dimensions by which CloudWatch knows the rule that hands requests to the queue
 */
export function requestAlarms(
  requests: WorkQueue,
  {
    requestEvent,
    rule,
  }: { readonly requestEvent: RequestEvent; readonly rule: Readonly<Record<'EventBusName' | 'RuleName', string>> },
): AlarmDeclarations {
  const { deadLetters } = requests;
  return {
    RequestEventErrors: {
      metric: errorsOf(requestEvent),
      above: 0,
      periods: 5,
      hasEnd: true,
      part: 'api',
      meaning: `RequestEvent crashes or exceeds its time limit. SQS retries its requests, ${requests.maxReceiveCount} times in all.`,
      remedy: 'Read the errors of RequestEvent, and fix their cause before requests reach the dead-letter queue.',
      commands: readErrors(requestEvent),
    },
    RequestsDlq: {
      metric: visibleMessages(deadLetters),
      above: 0,
      hasEnd: true,
      part: 'api',
      meaning: `RequestEvent failed on OnboardingRequested events ${requests.maxReceiveCount} times, over about ${requests.retriedFor.toHours()} hours, or EventBridge could not hand them to the queue. The messages hold persons. The queue keeps them until ${deadLetters.retentionPeriod.toDays()} days after they were sent: then they are lost.`,
      remedy:
        'Read the errors of RequestEvent and fix their cause. A message with an error names why EventBridge could not hand it over: most likely a permission is missing. Then redrive the dead-letter queue to the requests queue.',
      commands: [showDeadLetters(deadLetters), ...readErrors(requestEvent), readFailedMessages, redrive(requests)],
    },
    RequestsLate: {
      metric: oldestMessage(requests),
      above: maxQueueAgeSeconds.Requests,
      periods: 3,
      hasEnd: true,
      part: 'api',
      meaning: `OnboardingRequested events wait to be accepted. Those that RequestEvent fails on are in MessagesFailedRepeatedly. The queue keeps them for ${requests.retentionPeriod.toDays()} days.`,
      remedy: 'Read the errors of RequestEvent, and check its throttles in CloudWatch.',
      commands: [countAllMessages, ...readErrors(requestEvent)],
    },
    RequestsLost: {
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'InvocationsFailedToBeSentToDlq',
        dimensionsMap: rule,
        period: Duration.minutes(1),
        statistic: 'Sum',
      }),
      above: 0,
      hasEnd: false,
      part: 'api',
      meaning:
        'EventBridge could hand OnboardingRequested events neither to the requests queue nor to its dead-letter queue. They are lost.',
      remedy:
        'Fix the cause: most likely EventBridge may not send to the queues or use their key, and a deployment restores that. Then have your systems publish again each request that got neither OnboardingAccepted nor OnboardingRejected.',
      commands: [],
    },
  };
}
