import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type AlarmDeclarations, errorsOf, gauge, gaugeInterval } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import type { MissedRuns } from '#infra/parts/missed-runs.ts';
import { drawbridge, readErrors, readLines, showDeadLetters } from '#infra/parts/runbook-commands.ts';
import { DrawbridgeSchedule } from '#infra/parts/schedule.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import type { Settings } from '#infra/settings.ts';
import { laptop } from '#infra/settings-file/settings-file.ts';
import { findStandIns } from '#infra/settings-file/stand-ins.ts';
import { eventKeys } from '#shared/events/event-row.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { type ErasePerson, repeatErasure } from './erase-person.ts';

export type WakeProps = CapabilityProps & {
  /** Takes the ids of onboardings to wake. */
  readonly queue: WorkQueue;
  /** Its unfinished erasures are counted. */
  readonly erasePerson: ErasePerson;
};

/** How often due onboardings are sent. The gauges have a schedule of their own. */
const wakeInterval = Duration.minutes(1);

/** Every minute, Wake sends up to 1,000 onboardings. */
const maxDueTime = Duration.minutes(10);

/** An erasure takes several requests if the table of events is large. Its caller sends them one after the other. */
const maxErasureTime = Duration.hours(1);

/**
 * Sends the onboardings that are due to their queue, on a schedule. So no function sends to the queue that invokes it. Every five
 * minutes it also publishes the gauges that alarms on conditions read.
 */
export class Wake extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, data, alarms, missedRuns, queue, erasePerson }: WakeProps) {
    super(scope, id, {
      data,
      settings,
      description: 'Sends the onboardings that are due to their queue, and publishes the gauges',
      entry: 'functions/onboarding/wake/lambda.ts',
      environment: {
        ONBOARDINGS_TABLE: data.onboardings.tableName,
        EVENTS_TABLE: data.events.tableName,
        ONBOARDING_QUEUE_URL: queue.queueUrl,
        ...standInsVariable(data.environmentName, settings),
      },
      memorySize: 512,
      timeout: Duration.minutes(1),
      runsEvery: wakeInterval,
      onFailure: 'The next run, a minute later, does what this one left undone. Alarms report runs that fail.',
    });
    const { onboardings, events, key } = data;
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], onboardings.tableArn);
    for (const { index } of [onboardingKeys.due, onboardingKeys.listed])
      this.allow(['dynamodb:Query'], `${onboardings.tableArn}/index/${index}`);
    this.allow(['dynamodb:Query'], `${events.tableArn}/index/${eventKeys.quarantine.index}`);
    this.allow(['sqs:SendMessage'], queue.queueArn);
    this.allow(useKey, key.keyArn, via('dynamodb', 'sqs'));
    new DrawbridgeSchedule(this, 'WakeRuns', {
      description: 'Sends the onboardings that are due to their queue',
      every: wakeInterval,
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction' },
      data,
      missedRuns,
    });
    new DrawbridgeSchedule(this, 'GaugeRuns', {
      description: 'Publishes the gauges that alarms read',
      every: gaugeInterval,
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction', input: { publish: 'gauges' } },
      data,
      missedRuns,
    });
    alarms.add(alarmsOf(this, missedRuns, erasePerson));
  }
}

/** How many settings have a stand-in, which only the laptop may have without an alarm; no variable if none has. */
function standInsVariable(environmentName: string, settings: Settings): Readonly<Record<string, string>> {
  const count = environmentName === laptop ? 0 : findStandIns(settings).length;
  return count === 0 ? {} : { STAND_INS: String(count) };
}

function alarmsOf(wake: Wake, missedRuns: MissedRuns, erasePerson: ErasePerson): AlarmDeclarations {
  return {
    WakeErrors: {
      // The gauges are published every five minutes: a failure of these runs only must count too.
      metric: errorsOf(wake, gaugeInterval),
      above: 0,
      periods: 3,
      hasEnd: true,
      part: 'advance',
      meaning:
        'Onboardings that are due may not continue. Those with a new webhook or request still do. The gauges that other alarms read may be old.',
      remedy:
        'Read the errors of Wake, and fix their cause: most likely DynamoDB or SQS refuses calls. If a line names an onboarding, only that row cannot be read.',
      commands: [...readErrors(wake), showDeadLetters(missedRuns)],
    },
    OnboardingsDueLate: {
      metric: gauge(wake, 'OldestDueAge'),
      above: maxDueTime.toSeconds(),
      hasEnd: true,
      isSparse: true,
      part: 'advance',
      meaning: `Onboardings were due for more than ${maxDueTime.toMinutes()} minutes, and no run of Advance has finished. They waited for Drawbridge, and not for the platform or a person.`,
      remedy:
        'Read the errors of Wake: most likely its runs failed, or SQS refused its messages. Without errors, more than 1,000 onboardings a minute are due, or Advance does not keep up: the alarm ends once they are sent.',
      commands: [...readErrors(wake), showDeadLetters(missedRuns)],
    },
    ErasuresUnfinished: {
      metric: gauge(wake, 'OldestErasureAge'),
      above: maxErasureTime.toSeconds(),
      hasEnd: true,
      part: 'api',
      meaning: 'An erasure has begun and not ended. The person may be erased in part, and the caller got no 204.',
      remedy:
        'Lines of Wake with the message "erasure unfinished" name the first erasures by onboardingId, the SHA-256 of the externalId. Read the errors of ErasePerson, and those of Advance: an erasure waits up to a day until the bus has all events of the onboarding. Fix their cause. Have the caller repeat the request until it gets 204.',
      commands: [readLines(wake, 'message', 'erasure unfinished'), ...readErrors(erasePerson), repeatErasure],
    },
    StandInsUsed: {
      metric: gauge(wake, 'StandInsUsed'),
      above: 0,
      hasEnd: true,
      part: 'advance',
      meaning:
        'Settings have a stand-in for what only the operator of the platform knows: onboarding.requestor, onboarding.externalVerifier or platformProfile.exAnteEventType. Identifications or the registration of an event type may fail.',
      remedy:
        'drawbridge settings names the settings. Ask the operator of the platform for their values, state them in the settings file, remove keepStandIns, and deploy.',
      commands: [drawbridge('settings')],
    },
    GaugesMissing: {
      metric: gauge(wake, 'ErasuresUnfinished', 'SampleCount'),
      below: 1,
      periods: 3,
      hasEnd: true,
      onlyAfterFirstValueOf: 'ErasuresUnfinished',
      part: 'advance',
      meaning:
        'Wake does not publish the gauges. Alarms on quarantined events, stopped and stalled onboardings and unfinished erasures keep the state that they had.',
      remedy:
        'Check in MissedRuns whether the schedule starts Wake. Then read the errors of Wake: most likely DynamoDB refuses calls. Without errors, check its throttles in CloudWatch.',
      commands: [showDeadLetters(missedRuns), ...readErrors(wake)],
    },
  };
}
