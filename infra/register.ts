import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { DrawbridgeFunction } from './function.ts';
import { allowPlatform, type PlatformAccess } from './platform-access.ts';
import { DrawbridgeSchedule } from './schedule.ts';
import type { Settings } from './settings.ts';

export type RegisterProps = {
  readonly settings: Settings;
  readonly webhookSecret: Secret;
  /** Each event type is registered at this URL, followed by `/` and its name. */
  readonly webhooksUrl: string;
  readonly platformAccess: PlatformAccess;
  readonly missedRuns: Queue;
};

/** What it is started with, whoever starts it but a hand. */
const apply = { mode: 'apply' };

/** Registers the webhooks on the platform: every hour, after each deployment, and when somebody invokes it. */
export class Register extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: RegisterProps) {
    const { settings, webhookSecret, webhooksUrl, platformAccess, missedRuns } = props;
    const { registeredEventTypes, webhookSecretRotation } = settings;
    super(scope, id, {
      description: 'Registers the webhooks on the platform, repairs what has changed, and rotates their secret',
      entry: 'functions/webhook-ingest/register.lambda.ts',
      environment: {
        SECRET_ID: webhookSecret.secretArn,
        SECRET_HEADER: settings.secretHeader,
        WEBHOOKS_URL: webhooksUrl,
        ...formerWebhooksUrlsVariable(settings),
        SECRET_ROTATION_DAYS: String(webhookSecretRotation.everyDays),
        SECRET_OVERLAP_HOURS: String(webhookSecretRotation.overlapHours),
        ...(registeredEventTypes && { REGISTERED_EVENT_TYPES: JSON.stringify(registeredEventTypes) }),
      },
      memorySize: 512,
      timeout: Duration.minutes(2),
      logRetention: settings.logRetentionDays,
    });
    allowPlatform(this, platformAccess);
    this.allow(['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'], webhookSecret.secretArn);
    new DrawbridgeSchedule(this, 'RegisterHourly', {
      description: 'Has the registrations on the platform looked at, and repaired',
      every: Duration.hours(1),
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction', input: apply },
      key: platformAccess.key,
      missedRuns,
    });
    this.#afterDeployment();
  }

  /** CloudFormation itself calls nobody outside: a platform that is down would fail the deployment. */
  #afterDeployment(): void {
    const rule = new Rule(this, 'RegisterAfterDeployment', {
      description: 'Has the webhooks registered once this stack is deployed',
      eventPattern: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': [Stack.of(this).stackId],
          'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] },
        },
      },
      targets: [new LambdaFunction(this.lambda, { event: RuleTargetInput.fromObject(apply) })],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'What it could not start, the schedule does within the hour.',
    });
    Validations.of(this.lambda).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'Each run does all there is to do: what one could not, the next does within the hour, and alarms tell.',
    });
  }
}

/** The former URLs as a variable of a function's environment; none where there are none. */
export function formerWebhooksUrlsVariable({ formerWebhooksUrls }: Pick<Settings, 'formerWebhooksUrls'>) {
  return { ...(formerWebhooksUrls && { FORMER_WEBHOOKS_URLS: JSON.stringify(formerWebhooksUrls) }) };
}
