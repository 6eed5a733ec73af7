import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { type AcceptingProps, allowAccepting, onboardingVariables } from './onboarding-access.ts';

/** As long as the SDK tries to reach DynamoDB, and as long again. */
const requestEventTimeout = Duration.minutes(5);

/** Accepts the onboardings that are requested by an event on the bus. */
export class RequestEvent extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: AcceptingProps) {
    const { settings, data, queue } = props;
    super(scope, id, {
      data,
      description: 'Accepts the onboardings that are requested by an event on the bus',
      entry: 'functions/onboarding/request-event/lambda.ts',
      environment: {
        ...onboardingVariables(props),
        ONBOARDING_QUEUE_URL: queue.queueUrl,
        EVENT_BUS: data.bus.eventBusName,
      },
      memorySize: 1_024,
      timeout: requestEventTimeout,
      logRetention: settings.logRetentionDays,
      onFailure:
        'The event holds a person, which no queue of ours may. Alarms report it, and the requestor asks again.',
    });
    allowAccepting(this, props);
    this.allow(['events:PutEvents'], data.bus.eventBusArn);
  }
}
