import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { callsPeriod, errorsOf, failingCalls } from '#infra/parts/alarms.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import { readErrors } from '#infra/parts/runbook-commands.ts';
import { onboardingKeys } from '#shared/onboarding/onboarding-keys.ts';
import { type AcceptingProps, allowAccepting, onboardingVariables } from './onboarding-access.ts';

/** Accepts requests for onboardings, lists them, shows their state, cancels and retries them. */
export class Api extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: AcceptingProps) {
    super(scope, id, {
      data: props.data,
      settings: props.settings,
      description: 'Accepts requests for onboardings, lists them, shows their state, cancels and retries them',
      entry: 'functions/onboarding/api/lambda.ts',
      environment: { ...onboardingVariables(props), ONBOARDING_QUEUE_URL: props.queue.queueUrl },
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      onFailure: callerRetries,
    });
    allowAccepting(this, props);
    this.allow(['dynamodb:Query'], `${props.data.onboardings.tableArn}/index/${onboardingKeys.listed.index}`);
    props.alarms.add({
      ApiErrors: {
        metric: errorsOf(this, callsPeriod),
        ...failingCalls,
        part: 'api',
        meaning:
          'Api crashes or exceeds its time limit. Your own systems get no answers to requests about onboardings, and send them again.',
        remedy: 'Read the errors of Api and fix their cause.',
        commands: readErrors(this),
      },
    });
  }
}
