import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type AlarmDeclarations, errorsOf, gauge, ownMetric } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import { recursionAlarm } from '#infra/parts/message-alarms.ts';
import type { PlatformAccess } from '#infra/parts/platform-access.ts';
import { drawbridge, readErrors, readLines } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';
import { onboardingVariables } from './onboarding-access.ts';

export type AdvanceProps = CapabilityProps & {
  readonly platformAccess: PlatformAccess;
  /** Takes the ids of onboardings to wake. */
  readonly queue: WorkQueue;
};

/** Longer than a few steps, each with a call to the platform and all its attempts, and than a search of fifty pages. */
export const advanceTimeout = Duration.minutes(2);

/** Takes onboardings as far as they go, and publishes each step. */
export class Advance extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: AdvanceProps) {
    const { settings, data, alarms, platformAccess, queue } = props;
    super(scope, id, {
      data,
      settings,
      description: 'Takes onboardings as far as they go, and publishes each step',
      entry: 'functions/onboarding/advance/lambda.ts',
      environment: {
        ...onboardingVariables(props),
        EVENT_BUS: data.bus.eventBusName,
        ENTITIES_TABLE: data.entities.tableName,
      },
      memorySize: 1_024,
      timeout: advanceTimeout,
      callsPlatform: true,
      canaryWatches: ['FirstAttemptsFailed', 'OnboardingsGivenUp'],
      onFailure: callerRetries,
    });
    platformAccess.grant(this);
    this.allow(['dynamodb:GetItem', 'dynamodb:PutItem'], data.onboardings.tableArn);
    this.allow(['dynamodb:GetItem'], data.entities.tableArn);
    this.allow(useKey, data.key.keyArn, via('dynamodb'));
    this.allow(['events:PutEvents'], data.bus.eventBusArn);
    this.consume(queue, { batchSize: 5, maxConcurrency: settings.onboardingConcurrency });
    alarms.add({ ...alarmsOf(this, queue), AdvanceRecursion: recursionAlarm('advance', this, queue) });
  }
}

function alarmsOf(advance: Advance, queue: WorkQueue): AlarmDeclarations {
  return {
    UnknownWords: {
      metric: ownMetric(advance, 'UnknownStatuses', { period: Duration.hours(2), statistic: 'Sum' }),
      above: 0,
      hasEnd: true,
      isSparse: true,
      part: 'advance',
      meaning:
        'The platform shows a status of a person or a verification that no setting explains. The onboarding waits until the platform shows one that a setting or the specification explains.',
      remedy:
        'drawbridge onboardings show prints the status, or "no word" where it is not a text. Ask the platform what it means. Add that of a verification to platformProfile.verificationWords in the settings file, or declare that of a person in platformProfile.statuses. Then deploy. An onboarding continues by itself with a declared status of its verification, and once its person has a status of the specification.',
      commands: [
        readLines(advance, 'message', 'unknown status'),
        drawbridge('onboardings show onboardingId:ONBOARDING_ID'),
      ],
    },
    AdvanceErrors: {
      metric: errorsOf(advance),
      above: 0,
      periods: 5,
      hasEnd: true,
      part: 'advance',
      meaning: `Advance crashes or exceeds its time limit. SQS retries its onboardings, ${queue.maxReceiveCount} times in all.`,
      remedy: 'Read the errors of Advance, and fix their cause before onboardings reach the dead-letter queue.',
      commands: readErrors(advance),
    },
    OnboardingsStopped: {
      metric: gauge(advance, 'OnboardingsNowStopped'),
      above: 0,
      hasEnd: true,
      part: 'advance',
      meaning: 'Onboardings wait for an operator.',
      remedy:
        'drawbridge onboardings ls --step STOPPED lists them with the reasons. Do what these say, then retry each onboarding.',
      commands: [
        drawbridge('onboardings ls --step STOPPED'),
        drawbridge('onboardings show onboardingId:ONBOARDING_ID', 'Show what to do about one'),
        readLines(advance, 'step', 'STOPPED'),
        drawbridge('onboardings retry onboardingId:ONBOARDING_ID', 'Once the cause is fixed'),
      ],
    },
    OnboardingsStalled: {
      metric: gauge(advance, 'OnboardingsNowStalled'),
      above: 0,
      hasEnd: true,
      part: 'advance',
      meaning:
        'Onboardings are at one step for longer than its deadline (onboarding.deadlines in the settings file). They continue once the platform or the person acts.',
      remedy:
        'Do what drawbridge onboardings show says of each: mostly ask the platform or the person. Cancel onboardings that cannot succeed.',
      commands: [
        readLines(advance, 'reason', 'Stalled'),
        drawbridge('onboardings ls --stalled'),
        drawbridge('onboardings show onboardingId:ONBOARDING_ID'),
        drawbridge('onboardings cancel onboardingId:ONBOARDING_ID'),
      ],
    },
  };
}
