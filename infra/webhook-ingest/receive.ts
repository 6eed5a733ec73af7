import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type AlarmDeclarations, callsPeriod, errorsOf, failingCalls, ownMetric } from '#infra/parts/alarms.ts';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { callerRetries, DrawbridgeFunction } from '#infra/parts/function.ts';
import { readErrors } from '#infra/parts/runbook-commands.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { WorkQueue } from '#infra/parts/work-queue.ts';

export type ReceiveProps = Pick<CapabilityProps, 'settings' | 'data' | 'alarms'> & { readonly queue: WorkQueue };

/** Receives webhooks: checks the secret, and answers once SQS has the webhook. */
export class Receive extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, { settings, data, alarms, queue }: ReceiveProps) {
    const { key, secretsKeys, webhookSecret } = data;
    super(scope, id, {
      data,
      settings,
      description: 'Receives webhooks: checks the secret, and answers once SQS has the webhook',
      entry: 'functions/webhook-ingest/receive/lambda.ts',
      environment: {
        QUEUE_URL: queue.queueUrl,
        SECRET_ID: webhookSecret.secretArn,
        SECRET_HEADER: settings.secretHeader.toLowerCase(),
        ...(settings.webhookSources && { SOURCE_RANGES: JSON.stringify(settings.webhookSources) }),
      },
      // A full vCPU comes at 1,769 MB. At 1,024 a cold start is short, and most of the bill is still the request.
      // In megabytes: docs/decisions/cost.md, "Memory sizes by measurement".
      memorySize: 1_024,
      timeout: Duration.seconds(10),
      reservedConcurrency: settings.receiveConcurrency,
      // Metrics already count requests and their durations: two lines for each request would only repeat them.
      platformLog: 'failures',
      canaryWatches: ['FirstAttemptsFailed'],
      onFailure: callerRetries,
    });
    this.allow(['sqs:SendMessage'], queue.queueArn);
    this.allow(['secretsmanager:GetSecretValue'], webhookSecret.secretArn);
    this.allow(useKey, key.keyArn, via('sqs'));
    for (const { keyArn } of secretsKeys) this.allow(['kms:Decrypt'], keyArn, via('secretsmanager'));
    alarms.add(alarmsOf(this));
  }
}

function alarmsOf(receive: Receive): AlarmDeclarations {
  return {
    ReceiveErrors: {
      metric: errorsOf(receive, callsPeriod),
      ...failingCalls,
      part: 'receive',
      meaning: 'Receive crashes or exceeds its time limit. The platform keeps the webhooks that it could not deliver.',
      remedy: 'Read the errors of Receive and fix their cause. Drain then stores the kept webhooks.',
      commands: readErrors(receive),
    },
    DeliveriesOutOfRange: {
      metric: ownMetric(receive, 'DeliveriesOutOfRange', { period: Duration.minutes(1), statistic: 'Sum' }),
      above: 0,
      hasEnd: false,
      part: 'receive',
      meaning:
        'Requests from outside webhookSources got 403. If the platform sent them, it keeps the webhooks as undelivered, and Drain stores them.',
      remedy:
        'Compare sourceIp in the access log of the API with the ranges that the operator of the platform states. If they are new, correct the setting webhookSources. Otherwise a stranger knows the URL: change webhookPathKey. Deploy.',
      commands: [],
    },
  };
}
