import type * as z from 'zod';
import type { settings } from '#infra/settings.ts';

export const statuses = {
  transfer: [{ status: 'EXAMPLE_HOLD', after: 'PENDING', final: false, from: ['PENDING'], to: ['PROCESSED'] }],
};

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/1f0c';

/** Every setting of an environment, with another value than its default. Without a dashboard, releases could not be compared by its output. */
export const everySetting: Readonly<Required<Omit<z.input<typeof settings>, 'platform'>>> = {
  account: '111122223333',
  region: 'us-east-1',
  eventRetentionDays: 21,
  eventsTableClass: 'infrequent-access',
  unreadRetentionDays: 20,
  logRetentionDays: 90,
  backup: {
    retentionDays: 40,
    hour: 5,
    lock: 'compliance',
    isLockPermanent: true,
    copies: [{ vaultArn: 'arn:aws:backup:us-west-2:444455556666:backup-vault:far', retentionDays: 90 }],
    restoreTests: 'weekly',
    vaultName: 'trial-backups',
  },
  alarmSubscribers: ['oncall@trial.example', 'https://oncall.trial.example/key'],
  runbookUrl: 'https://git.trial.example/drawbridge/blob/v{version}/docs/reference/alarms.md',
  keys: 'both',
  secretReplicas: [
    { region: 'us-west-2', keyArn: 'arn:aws:kms:us-west-2:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab' },
  ],
  fipsEndpoints: true,
  secretHeader: 'X-Trial-Secret',
  webhookThrottle: { rate: 3, burst: 4 },
  webhookSources: ['203.0.113.0/24', '2001:db8::/32'],
  webhookPathKey: 'moved-1',
  webhookDomain: { name: 'webhooks.trial.example', certificateArn },
  network: { subnetIds: ['subnet-0a1b2c3d', 'subnet-4e5f6a7b'], securityGroupIds: ['sg-8c9d0e1f'] },
  permissionsBoundary: 'drawbridge-trial-boundary',
  webhooksUrl: 'https://hooks.trial.example/platform',
  formerWebhooksUrls: ['https://former.trial.example/webhooks'],
  registeredEventTypes: ['PROXY_NOTIFICATION'],
  webhookSecretRotation: { everyDays: 31, overlapHours: 5 },
  receiveConcurrency: 12,
  queryThrottle: { rate: 6, burst: 7 },
  onboardingThrottle: { rate: 8, burst: 9 },
  listEvents: true,
  listEntities: true,
  listLanes: 64,
  statusReports: ['order'],
  storeConcurrency: 5,
  storeBatchingSeconds: 5,
  reconciliation: { everyHours: 3, callsPerSecond: 0.5, graceMinutes: 30, listEveryHours: 12 },
  onboardingConcurrency: 6,
  onboarding: { openDays: 30 },
  platformProfile: {
    eventTypes: ['PROXY_NOTIFICATION'],
    statuses,
    times: { zone: 'Europe/Vienna', unit: 'seconds', dayZone: 'Europe/Vienna' },
    sentFields: { maxTextLength: 200, zip: { minLength: 4 }, phone: { maxLength: 15 }, hasCapitalEnums: true },
  },
  rollout: 'canary',
  tracing: 'sampled',
  dashboard: true,
  keepStandIns: true,
};
