import { Stack, type StackProps } from 'aws-cdk-lib';
import { CfnEventBusPolicy, type EventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { busSource } from '#shared/bus/bus.ts';
import type { DataStack } from './data-stack.ts';
import { FailedBackups } from './monitoring/failed-backups.ts';
import { HealthDashboard } from './monitoring/health-dashboard.ts';
import { KeyEvents } from './monitoring/key-events.ts';
import { LogQueries } from './monitoring/log-queries.ts';
import { Onboarding } from './onboarding/onboarding.ts';
import { Alarms } from './parts/alarms.ts';
import { pinFeatureFlags } from './parts/feature-flags.ts';
import type { DrawbridgeFunction } from './parts/function.ts';
import { failedMessagesAlarm } from './parts/message-alarms.ts';
import { MissedRuns } from './parts/missed-runs.ts';
import { PlatformAccess } from './parts/platform-access.ts';
import { RetryUndelivered } from './retry-undelivered/retry-undelivered.ts';
import type { Settings } from './settings.ts';
import { TokenRefresher } from './token-refresher/token-refresher.ts';
import { WebhookIngest } from './webhook-ingest/webhook-ingest.ts';

export type ServiceStackProps = StackProps & {
  readonly settings: Settings;
  readonly data: DataStack;
  /** Undefined if only the deployment knows it. */
  readonly knownRegion: string | undefined;
};

/**
 * The parts that work on the data: one construct per capability. Can be deleted and deployed again: what its queues hold
 * is in a table too, or is of no use by then.
 */
export class ServiceStack extends Stack {
  readonly alarms: Alarms;
  readonly tokenRefresher: TokenRefresher;
  /** Lets a function call the platform. */
  readonly platformAccess: PlatformAccess;
  readonly onboarding: Onboarding;
  readonly webhookIngest: WebhookIngest;
  readonly retryUndelivered: RetryUndelivered;

  constructor(scope: Construct, id: string, { settings, data, knownRegion, ...props }: ServiceStackProps) {
    super(scope, id, props);
    pinFeatureFlags(this);
    const alarms = new Alarms(this, 'Alarms', { data, settings });
    const missedRuns = new MissedRuns(this, 'MissedRuns', { data, alarms });
    alarms.add(failedMessagesAlarm(data));
    const common = { settings, data, alarms, missedRuns };

    // schedule, rejected tokens → refresh → platform token, which every caller of the platform reads
    const tokenRefresher = new TokenRefresher(this, 'TokenRefresher', common);
    const platformAccess = new PlatformAccess({ settings, data, tokenRefreshes: tokenRefresher.queue });

    // the partner's requests → advance → platform, bus
    const onboarding = new Onboarding(this, 'Onboarding', { ...common, platformAccess });

    // platform → receive → store → events, entities, bus, onboarding
    const webhookIngest = new WebhookIngest(this, 'WebhookIngest', { ...common, platformAccess, onboarding });

    // schedule → drain, reconcile → what the platform did not deliver → store
    const withIngest = { ...common, platformAccess, webhookIngest };
    this.retryUndelivered = new RetryUndelivered(this, 'RetryUndelivered', withIngest);

    refuseForgedEvents(this, data.bus, [onboarding.advance, onboarding.requestEvent, webhookIngest.store]);
    new KeyEvents(this, 'KeyEvents', { keys: [data.key, ...data.secretsKeys, data.alarmsKey], alarms });
    if (data.backups !== undefined) new FailedBackups(this, 'FailedBackups', { backups: data.backups, alarms });
    const parts = { ...common, knownRegion, tokenRefresher, onboarding, webhookIngest };
    new LogQueries(this, 'LogQueries', { environmentName: data.environmentName, webhookIngest });
    if (settings.dashboard) new HealthDashboard(this, 'HealthDashboard', parts);

    this.alarms = alarms;
    this.tokenRefresher = tokenRefresher;
    this.platformAccess = platformAccess;
    this.onboarding = onboarding;
    this.webhookIngest = webhookIngest;
  }
}

/**
 * Refuses events in the name of Drawbridge from everyone but the functions that publish, whatever a policy of the caller allows.
 * In the stack of the functions: the data stack cannot name their roles. A replay of the archive has no role, and passes.
 */
function refuseForgedEvents(scope: Construct, bus: EventBus, publishers: readonly DrawbridgeFunction[]): void {
  new CfnEventBusPolicy(scope, 'BusPolicy', {
    eventBusName: bus.eventBusName,
    statementId: 'OnlyDrawbridgeIsDrawbridge',
    statement: {
      Effect: 'Deny',
      Principal: '*',
      Action: 'events:PutEvents',
      Resource: bus.eventBusArn,
      Condition: {
        'ForAnyValue:StringEquals': { 'events:source': busSource },
        ArnNotEquals: { 'aws:PrincipalArn': publishers.map(({ lambda }) => lambda.role?.roleArn) },
        Bool: { 'aws:PrincipalIsAWSService': 'false' },
      },
    },
  });
}
