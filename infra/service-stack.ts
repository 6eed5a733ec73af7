import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import type { DataStack } from './data-stack.ts';
import { Onboarding } from './onboarding.ts';
import { RetryUndelivered } from './retry-undelivered.ts';
import { createMissedRunsQueue } from './schedule.ts';
import type { Settings } from './settings.ts';
import { TokenRefresher } from './token-refresher.ts';
import { WebhookIngest } from './webhook-ingest.ts';

export type ServiceStackProps = StackProps & { readonly settings: Settings; readonly data: DataStack };

/** What works: the picture of the README, one construct per capability. Can be deleted and deployed again. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, data, ...props }: ServiceStackProps) {
    super(scope, id, props);
    const { key, events, entities, onboardings, bus, checkpoints, webhookSecret, platformToken, platformCredentials } =
      data;
    const missedRuns = createMissedRunsQueue(this, 'MissedRuns', key);
    const tokenRefresher = new TokenRefresher(this, 'TokenRefresher', {
      settings,
      key,
      platformToken,
      platformCredentials,
      missedRuns,
    });
    const platformAccess = { settings, key, platformToken, tokenRefreshes: tokenRefresher.queue };
    const onboarding = new Onboarding(this, 'Onboarding', {
      settings,
      key,
      onboardings,
      events,
      entities,
      bus,
      platformAccess,
    });
    const webhookIngest = new WebhookIngest(this, 'WebhookIngest', {
      settings,
      key,
      events,
      entities,
      bus,
      webhookSecret,
      onboarding,
      platformAccess,
      missedRuns,
    });
    const retryUndelivered = new RetryUndelivered(this, 'RetryUndelivered', {
      ...platformAccess,
      settings,
      key,
      events,
      entities,
      checkpoints,
      onboardings,
      onboardingQueue: onboarding.queue,
      webhooks: webhookIngest.queue,
      webhooksUrl: webhookIngest.webhooksUrl,
      webhookSecret,
      missedRuns,
    });
    const alarms = new Alarms(this, 'Alarms', {
      key,
      webhookIngest,
      onboarding,
      tokenRefresher,
      retryUndelivered,
      missedRuns,
    });
    new CfnOutput(this, 'WebhooksUrl', {
      description: 'Where the platform delivers each event type: at this URL, followed by / and the event type',
      value: webhookIngest.webhooksUrl,
    });
    new CfnOutput(this, 'ApiUrl', {
      description:
        'Where your own systems have persons onboarded (/onboardings), and look up what is known (/entities/{kind}/{id}, /events/{eventId})',
      value: webhookIngest.api.apiEndpoint,
    });
    new CfnOutput(this, 'RegisterFunction', {
      description: 'Invoke it with {"mode": "plan"} to see what there is to do on the platform, and "apply" to do it',
      value: webhookIngest.register.lambda.functionName,
    });
    new CfnOutput(this, 'ReplayFunction', {
      description: 'Invoke it with {} to count the events in quarantine; it answers the request that replays them',
      value: webhookIngest.replay.lambda.functionName,
    });
    new CfnOutput(this, 'ReconcileFunction', {
      description:
        'Invoke it with {"mode": "report"} to see what differs from the platform, and "repair" to have it repaired',
      value: retryUndelivered.reconcile.lambda.functionName,
    });
    new CfnOutput(this, 'PlatformCredentialsArn', {
      description:
        'Where to put the credentials that the operator of the platform has issued: {"clientId", "clientSecret"}',
      value: platformCredentials.secretArn,
    });
    new CfnOutput(this, 'AlarmTopicArn', {
      description: 'Subscribe whoever is on call',
      value: alarms.topic.topicArn,
    });
  }
}
