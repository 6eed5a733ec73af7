import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type AlarmDeclarations, errorsOf, oldestMessage, visibleMessages } from '#infra/parts/alarms.ts';
import { asyncInvocationTries, visibilityTimeoutOf } from '#infra/parts/retries.ts';
import {
  countAllMessages,
  readErrors,
  readFailedMessages,
  redrive,
  showDeadLetters,
} from '#infra/parts/runbook-commands.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import type { Advance } from './advance.ts';
import type { RequestEvent } from './request-event.ts';

/** The alarms of the queue by which onboardings are woken. */
export function queueAlarms(queue: WorkQueue, advance: Advance) {
  const retriedHours = (queue.maxReceiveCount * visibilityTimeoutOf(advance.timeout).toMinutes()) / 60;
  return {
    OnboardingDlq: {
      metric: visibleMessages(queue.deadLetters),
      above: 0,
      closes: { when: 'the dead-letter queue is empty' },
      meaning: `Advance failed on onboardings ${queue.maxReceiveCount} times, over about ${retriedHours} hours. The messages name the onboardings, and hold no personal data. The dead-letter queue keeps them until ${queue.deadLetters.retentionPeriod.toDays()} days after they were sent.`,
      remedy:
        'Read the errors of Advance and fix their cause: most likely DynamoDB, SQS or EventBridge refuses calls. Then redrive the dead-letter queue to the onboarding queue.',
      commands: [...showDeadLetters(queue.deadLetters), ...readErrors(advance), readFailedMessages, redrive(queue)],
    },
    OnboardingLate: {
      metric: oldestMessage(queue),
      above: Duration.hours(1).toSeconds(),
      periods: 3,
      closes: { when: 'no onboarding has waited for more than an hour' },
      meaning: `Onboardings have waited for more than an hour to advance. The queue keeps them for ${queue.retentionPeriod.toDays()} days.`,
      remedy:
        'Read the errors of Advance, and check its throttles and durations in CloudWatch. If the platform is slow, wait, or raise onboardingConcurrency in the settings file and deploy.',
      commands: [countAllMessages, ...readErrors(advance)],
    },
  };
}

/**
 * The alarms of requests that arrive on the bus. No queue keeps such an event, since it holds a person.
 *
 * @param rule the dimensions by which CloudWatch knows the rule that hands requests to `requestEvent`
 */
export function busRequestAlarms(
  requestEvent: RequestEvent,
  rule: Readonly<Record<'EventBusName' | 'RuleName', string>>,
): AlarmDeclarations {
  const period = Duration.minutes(1);
  const publishAgain =
    'Then have your systems publish again each request that got neither OnboardingAccepted nor OnboardingRejected.';
  return {
    RequestEventErrors: {
      metric: errorsOf(requestEvent, period),
      above: 0,
      closes: 'manually',
      meaning: `RequestEvent could not store an OnboardingRequested event. Lambda tries it ${asyncInvocationTries} times within about 20 minutes. After that the event is lost, since it holds a person and no queue keeps it.`,
      remedy:
        'Read the errors of RequestEvent and fix their cause immediately: most likely DynamoDB refuses calls. The alarm RequestEventsDropped goes off if an event was lost.',
      commands: readErrors(requestEvent),
    },
    RequestEventsDropped: {
      metric: requestEvent.lambda.metric('AsyncEventsDropped', { period, statistic: 'Sum' }),
      above: 0,
      closes: 'manually',
      meaning: 'Lambda has given up OnboardingRequested events. No queue keeps them.',
      remedy: `Read the errors of RequestEvent and fix their cause. ${publishAgain}`,
      commands: readErrors(requestEvent),
    },
    RequestEventsNotHandedOver: {
      metric: new Metric({
        namespace: 'AWS/Events',
        metricName: 'FailedInvocations',
        dimensionsMap: rule,
        period,
        statistic: 'Sum',
      }),
      above: 0,
      closes: 'manually',
      meaning: 'EventBridge could not hand OnboardingRequested events to RequestEvent, and no queue keeps them.',
      remedy: `Fix the cause: most likely EventBridge may not invoke the function, and a deployment restores that. ${publishAgain}`,
      commands: [],
    },
  };
}
