import { describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import { everySetting, statuses } from '#tools/release/every-setting.ts';
import { type Expected, expectProperties } from './deployed-resources.ts';
import { trialResources } from './shared-trial-apps.ts';
import { trialPlatform } from './stacks/trial-apps.ts';

const { data, service } = trialResources(everySetting);
const byDefault = trialResources();
const defaults = [...byDefault.data, ...byDefault.service];

const variables = (values: Expected): Expected =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`Environment.Variables.${name}`, value]));
const json = (part: object) => expect.stringContaining(JSON.stringify(part).slice(1, -1));
const eventRetention = variables({ EVENT_RETENTION_DAYS: '21' });
const formerUrls = variables({ FORMER_WEBHOOKS_URLS: '["https://former.trial.example/webhooks"]' });
const throttle = (rate: number, burst: number) =>
  expect.objectContaining({ ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst });
const runbook = `Runbook: https://git.trial.example/drawbridge/blob/v${version}/docs/reference/alarms.md#webhooksdlq`;

/** Each setting, with the resources that it changes, and what they then have. */
const rows: readonly (readonly [setting: keyof typeof everySetting, of: string, has: Expected])[] = [
  ['eventRetentionDays', 'WebhookIngest/Store', eventRetention],
  ['eventRetentionDays', 'WebhookIngest/Query', eventRetention],
  ['eventRetentionDays', 'RetryUndelivered/Drain', eventRetention],
  ['eventRetentionDays', 'RetryUndelivered/Reconcile', eventRetention],
  ['eventsTableClass', 'Events', { TableClass: 'STANDARD_INFREQUENT_ACCESS' }],
  ['eventRetentionDays', 'Bus/Changes/Archive', { RetentionDays: 21 }],
  ['unreadRetentionDays', 'WebhookIngest/Store', variables({ UNREAD_RETENTION_DAYS: '20' })],
  ['logRetentionDays', 'AWS::Logs::LogGroup', { RetentionInDays: 90 }],
  ['backup', 'Backups/Vault', { BackupVaultName: 'trial-backups' }],
  [
    'backup',
    'Backups/Plan',
    { 'BackupPlan.BackupPlanRule': [expect.objectContaining({ ScheduleExpression: 'cron(0 5 * * ? *)' })] },
  ],
  // A secret keeps its key until everything that reads it may use the next one.
  ['keys', 'AWS::SecretsManager::Secret', { KmsKeyId: '<Key.Arn>' }],
  ['keys', 'Alarms/Topic', { KmsMasterKeyId: '<AlarmsKey.Arn>' }],
  ['keys', 'SecretsKey/Alias', { AliasName: 'alias/drawbridge-trial-secrets', TargetKeyId: '<SecretsKey.Arn>' }],
  [
    'secretReplicas',
    'AWS::SecretsManager::Secret',
    {
      ReplicaRegions: [
        {
          Region: 'us-west-2',
          KmsKeyId: 'arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab',
        },
      ],
    },
  ],
  ['fipsEndpoints', 'AWS::Lambda::Function', variables({ AWS_USE_FIPS_ENDPOINT: 'true' })],
  ['runbookUrl', 'Alarms/WebhooksDlq', { AlarmDescription: expect.stringMatching(`${runbook}$`) }],
  ['secretHeader', 'WebhookIngest/Receive', variables({ SECRET_HEADER: 'x-trial-secret' })],
  ['secretHeader', 'WebhookIngest/Register', variables({ SECRET_HEADER: 'X-Trial-Secret' })],
  ['webhookThrottle', 'WebhookIngest/WebhookDomain/Stage', { DefaultRouteSettings: throttle(3, 4) }],
  ['webhookSources', 'WebhookIngest/Receive', variables({ SOURCE_RANGES: '["203.0.113.0/24","2001:db8::/32"]' })],
  [
    'webhookPathKey',
    'WebhookIngest/WebhookDomain/WebhooksApi/WebhooksRoute',
    { RouteKey: 'POST /webhooks/<part 2 of <AWS::StackId>>-moved-1/{eventType}' },
  ],
  [
    'webhooksUrl',
    'WebhookIngest/Register',
    variables({ WEBHOOKS_URL: expect.stringMatching('^https://hooks.trial.example/platform/') }),
  ],
  ['formerWebhooksUrls', 'WebhookIngest/Register', formerUrls],
  ['formerWebhooksUrls', 'RetryUndelivered/Drain', formerUrls],
  ['registeredEventTypes', 'WebhookIngest/Register', variables({ REGISTERED_EVENT_TYPES: '["PROXY_NOTIFICATION"]' })],
  [
    'webhookSecretRotation',
    'WebhookIngest/Register',
    variables({ SECRET_ROTATION_DAYS: '31', SECRET_OVERLAP_HOURS: '5' }),
  ],
  ['receiveConcurrency', 'WebhookIngest/Receive', { ReservedConcurrentExecutions: 12 }],
  ['queryThrottle', 'WebhookIngest/Stage', { 'RouteSettings.GET /events/{eventId}': throttle(6, 7) }],
  ['onboardingThrottle', 'WebhookIngest/Stage', { 'RouteSettings.POST /onboardings': throttle(8, 9) }],
  ['listEvents', 'WebhookIngest/Store', variables({ LIST_EVENTS: 'true' })],
  ['listEvents', 'RetryUndelivered/Drain', variables({ LIST_EVENTS: 'true' })],
  ['listEvents', 'WebhookIngest/Query', variables({ LIST_EVENTS: 'true', EVENT_TYPES: '["PROXY_NOTIFICATION"]' })],
  ['listEntities', 'WebhookIngest/Store', variables({ LIST_ENTITIES: 'true' })],
  ['listEntities', 'WebhookIngest/Query', variables({ LIST_ENTITIES: 'true' })],
  ['listLanes', 'WebhookIngest/Store', variables({ LIST_LANES: '64' })],
  ['listLanes', 'RetryUndelivered/Drain', variables({ LIST_LANES: '64' })],
  ['listLanes', 'WebhookIngest/Query', variables({ LIST_LANES: '64' })],
  ['statusReports', 'WebhookIngest/Store', variables({ STATUS_REPORTS: '["order"]' })],
  ['storeBatchingSeconds', 'WebhookIngest/Store/Function/WebhooksMessages', { MaximumBatchingWindowInSeconds: 5 }],
  ['tracing', 'AWS::Lambda::Function', { 'TracingConfig.Mode': 'Active' }],
  ['storeConcurrency', 'WebhookIngest/Store/Function/WebhooksMessages', { ScalingConfig: { MaximumConcurrency: 5 } }],
  [
    'reconciliation',
    'RetryUndelivered/Reconcile',
    variables({
      ...{ CALLS_PER_SECOND: '0.5', GRACE_MINUTES: '30', LIST_EVERY_HOURS: '12' },
      ...{ READ_BACK_AFTER_HOURS: '6', STALE_AFTER_HOURS: '168' },
    }),
  ],
  ['reconciliation', 'RetryUndelivered/Reconcile/ReconcileRuns', { ScheduleExpression: 'rate(3 hours)' }],
  [
    'onboardingConcurrency',
    'Onboarding/Advance/Function/OnboardingMessages',
    { ScalingConfig: { MaximumConcurrency: 6 } },
  ],
  ['onboarding', 'Onboarding/Advance', variables({ ONBOARDING_SETTINGS: json({ openDays: 30 }) })],
  ...['WebhookIngest/Store', 'Onboarding/ErasePerson', 'RetryUndelivered/Reconcile'].map(
    (name) => ['platformProfile', name, variables({ PLATFORM_PROFILE: json({ statuses }) })] as const,
  ),
  [
    'platformProfile',
    'TokenRefresher/Refresh',
    variables({ PLATFORM_PROFILE: json({ eventTypes: ['PROXY_NOTIFICATION'] }) }),
  ],
  ['platformProfile', 'WebhookIngest/Query', variables({ DECLARED_STATUSES: JSON.stringify(statuses) })],
  // The requestor and the vendor are not stated. The event types have no stand-in.
  ['keepStandIns', 'Onboarding/Wake', variables({ STAND_INS: '2' })],
];

describe('an environment with settings', () => {
  it.each(rows)('applies %s to %s, which has another value without the setting', (_, of, has) => {
    expectProperties([...data, ...service], of, has);
    // The secrets keep their key whatever `keys` says.
    if (of !== 'AWS::SecretsManager::Secret') expect(() => expectProperties(defaults, of, has)).toThrow();
  });

  it('sends calls to the base URL of the platform, and requests for a token to the URL of its token service', () => {
    expectProperties(service, 'Onboarding/Advance', variables({ PLATFORM_BASE_URL: trialPlatform.baseUrl }));
    expectProperties(service, 'TokenRefresher/Refresh', variables({ PLATFORM_AUTH_URL: trialPlatform.authUrl }));
  });

  it('subscribes each of alarmSubscribers to the alarms', () => {
    const subscriptions = service.filter(({ Type }) => Type === 'AWS::SNS::Subscription');
    expect(subscriptions.map(({ Properties: { Protocol, Endpoint } }) => [Protocol, Endpoint]).toSorted()).toEqual([
      ['email', 'oncall@trial.example'],
      ['https', 'https://oncall.trial.example/key'],
    ]);
  });

  it('leaves the dashboard out when it is off, and the alarm that only the dashboard shows', () => {
    const shown = (dashboard: boolean) =>
      trialResources({ dashboard })
        .service.map(({ name }) => name)
        .filter((name) => /Dashboard|AnyAlarm/.test(name));
    expect(shown(false)).toEqual([]);
    expect(shown(true)).toHaveLength(2);
  });

  // A row shows what its setting changes, and these have a test of their own.
  const otherwise = new Set<string>([
    ...['account', 'alarmSubscribers', 'region', 'dashboard', 'network', 'permissionsBoundary', 'rollout'],
    'webhookDomain',
    ...rows.map(([setting]) => setting),
  ]);
  it('has a row, or a test of its own, for each setting', () => {
    expect(Object.keys(everySetting).filter((setting) => !otherwise.has(setting))).toEqual([]);
  });

  it.each(['Onboarding/Api', 'Onboarding/RequestEvent', 'Onboarding/Advance', 'Onboarding/UpdatePerson'])(
    'passes the additional fields of the platform profile to %s, which checks persons',
    (name) => {
      const additionalFields = { person: { nickname: { type: 'text', maxLength: 20 } } };
      const { service: trial } = trialResources({ platformProfile: { additionalFields } });
      expectProperties(trial, name, variables({ PLATFORM_PROFILE: expect.stringContaining('"nickname":{') }));
    },
  );

  it('falls back to the defaults of the code when they are not set', () => {
    const functions = JSON.stringify(trialResources().service.filter(({ Type }) => Type === 'AWS::Lambda::Function'));
    for (const name of [
      'PLATFORM_PROFILE',
      'DECLARED_STATUSES',
      'ONBOARDING_SETTINGS',
      'LIST_EVENTS',
      'LIST_ENTITIES',
      'LIST_LANES',
    ])
      expect(functions).not.toContain(name);
  });
});
