import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { callsPeriod, errorsOf, failingCalls } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import type { PlatformAccess } from '#infra/parts/platform-access.ts';
import { readErrors } from '#infra/parts/runbook-commands.ts';
import { via } from '#infra/parts/use-key.ts';
import { onboardingVariables } from './onboarding-access.ts';

export type UpdatePersonProps = CapabilityProps & { readonly platformAccess: PlatformAccess };

/** Sends an update of a person to the platform. */
export class UpdatePerson extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: UpdatePersonProps) {
    super(scope, id, {
      data: props.data,
      settings: props.settings,
      description: 'Hands an update of a person on to the platform',
      entry: 'functions/onboarding/update-person/lambda.ts',
      environment: onboardingVariables(props),
      memorySize: 1_024,
      // API Gateway waits for 30 seconds.
      timeout: Duration.seconds(29),
      callsPlatform: true,
      onFailure: callerRetries,
    });
    props.platformAccess.grant(this);
    this.allow(['dynamodb:GetItem'], props.data.onboardings.tableArn);
    this.allow(['kms:Decrypt'], props.data.key.keyArn, via('dynamodb'));
    props.alarms.add({
      UpdatePersonErrors: {
        metric: errorsOf(this, callsPeriod),
        ...failingCalls,
        part: 'api',
        meaning:
          'UpdatePerson crashes or exceeds its time limit. Your own systems get no answers to updates of persons, and send them again.',
        remedy: 'Read the errors of UpdatePerson. Most likely the platform takes too long to answer.',
        commands: readErrors(this),
      },
    });
  }
}
