import type { Construct } from 'constructs';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { requestEventTimeout } from '#infra/parts/retries.ts';
import { type AcceptingProps, allowAccepting, onboardingVariables } from './onboarding-access.ts';

/** Up to 100 requests at a time: a burst on the bus leaves the account's concurrency to other functions. */
const consumption = { batchSize: 10, maxConcurrency: 10 };

/** Accepts the onboardings that are requested by an event on the bus. */
export class RequestEvent extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: AcceptingProps) {
    const { settings, data, queue } = props;
    super(scope, id, {
      data,
      settings,
      description: 'Accepts the onboardings that are requested by an event on the bus',
      entry: 'functions/onboarding/request-event/lambda.ts',
      environment: {
        ...onboardingVariables(props),
        ONBOARDING_QUEUE_URL: queue.queueUrl,
        EVENT_BUS: data.bus.eventBusName,
      },
      memorySize: 1_024,
      timeout: requestEventTimeout,
      onFailure:
        'SQS hands its messages out again, and keeps what fails in a dead-letter queue. Lambda repeats the events of a rule of 0.2.0.',
    });
    allowAccepting(this, props);
    this.allow(['events:PutEvents'], data.bus.eventBusArn);
    this.consume(data.requests, consumption);
  }
}
