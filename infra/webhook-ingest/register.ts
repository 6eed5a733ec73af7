import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import type { CapabilityProps } from '#infra/parts/capability.ts';
import { DrawbridgeFunction } from '#infra/parts/function.ts';
import { addOutput } from '#infra/parts/output.ts';
import type { PlatformAccess } from '#infra/parts/platform-access.ts';
import { DrawbridgeSchedule } from '#infra/parts/schedule.ts';
import { useKey, via } from '#infra/parts/use-key.ts';
import type { Settings } from '#infra/settings.ts';
import { registrationAlarms } from './registration-alarms.ts';

export type RegisterProps = CapabilityProps & {
  readonly platformAccess: PlatformAccess;
  /** Each event type is registered at this URL, followed by `/` and its name. */
  readonly webhooksUrl: string;
};

/** What the schedule and the rule invoke it with. */
const apply = { mode: 'apply' };

/**
 * How often it checks the registrations on the platform. Within 10 minutes of the first credentials they are there: the
 * refresher finds these within 5 minutes, the next run registers, and a schedule may start a minute late.
 */
const registrationInterval = Duration.minutes(2);

/** Registers the webhooks on the platform: every two minutes, after each deployment, and when an operator invokes it. */
export class Register extends DrawbridgeFunction {
  constructor(scope: Construct, id: string, props: RegisterProps) {
    const { settings, data, alarms, missedRuns, platformAccess, webhooksUrl } = props;
    const { registeredEventTypes, webhookSecretRotation } = settings;
    super(scope, id, {
      data,
      settings,
      description: 'Registers the webhooks on the platform, repairs what has changed, and rotates their secret',
      entry: 'functions/webhook-ingest/register/lambda.ts',
      environment: {
        SECRET_ID: data.webhookSecret.secretArn,
        SECRET_HEADER: settings.secretHeader,
        WEBHOOKS_URL: webhooksUrl,
        ...formerWebhooksUrlsVariable(settings),
        SECRET_ROTATION_DAYS: String(webhookSecretRotation.everyDays),
        SECRET_OVERLAP_HOURS: String(webhookSecretRotation.overlapHours),
        ...(registeredEventTypes && { REGISTERED_EVENT_TYPES: JSON.stringify(registeredEventTypes) }),
      },
      memorySize: 512,
      timeout: Duration.minutes(2),
      callsPlatform: true,
      runsEvery: registrationInterval,
      onFailure: 'Each run does all there is to do, and the next one comes within minutes. Alarms report failed runs.',
    });
    platformAccess.grant(this);
    const secretActions = ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue'];
    this.allow(secretActions, data.webhookSecret.secretArn);
    for (const { keyArn } of data.secretsKeys) this.allow(useKey, keyArn, via('secretsmanager'));
    new DrawbridgeSchedule(this, 'RegisterRuns', {
      description: 'Has the registrations on the platform checked and repaired',
      every: registrationInterval,
      target: { arn: this.lambda.functionArn, action: 'lambda:InvokeFunction', input: apply },
      data,
      missedRuns,
    });
    this.#afterDeployment();
    alarms.add(registrationAlarms(this));
    addOutput(
      this,
      'RegisterFunction',
      'Invoke it with {"mode": "plan"} to see what there is to do on the platform, and "apply" to do it',
      this.lambda.functionName,
    );
  }

  /** By a rule, not by CloudFormation itself: a platform that is down would fail the deployment. */
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
      reason: 'The schedule does within minutes what the rule could not start.',
    });
  }
}

/** The former URLs as a variable of a function's environment; no variable if there are none. */
export function formerWebhooksUrlsVariable({ formerWebhooksUrls }: Pick<Settings, 'formerWebhooksUrls'>) {
  return { ...(formerWebhooksUrls && { FORMER_WEBHOOKS_URLS: JSON.stringify(formerWebhooksUrls) }) };
}
