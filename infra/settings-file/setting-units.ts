/** The unit of each setting that is a number, or of all settings below a group. */
export const settingUnits: Readonly<Record<string, string>> = {
  eventRetentionDays: 'days',
  unreadRetentionDays: 'days',
  logRetentionDays: 'days',
  'backup.retentionDays': 'days',
  'backup.hour': 'hour of the day (UTC)',
  receiveConcurrency: 'executions',
  'webhookThrottle.rate': 'requests per second',
  'webhookThrottle.burst': 'requests',
  'queryThrottle.rate': 'requests per second',
  'queryThrottle.burst': 'requests',
  'onboardingThrottle.rate': 'requests per second',
  'onboardingThrottle.burst': 'requests',
  'webhookSecretRotation.everyDays': 'days',
  'webhookSecretRotation.overlapHours': 'hours',
  listLanes: 'lanes',
  storeConcurrency: 'batches',
  storeBatchingSeconds: 'seconds',
  'reconciliation.everyHours': 'hours',
  'reconciliation.callsPerSecond': 'calls per second',
  'reconciliation.graceMinutes': 'minutes',
  'reconciliation.readBackAfterHours': 'hours',
  'reconciliation.staleAfterHours': 'hours',
  onboardingConcurrency: 'batches',
  'onboarding.deadlines': 'seconds',
  'onboarding.stopAfterHours': 'hours',
  'onboarding.settle': 'seconds',
  'onboarding.openDays': 'days',
  'onboarding.retentionDays': 'days',
  'platformProfile.sentFields': 'characters',
  'platformProfile.sentFields.zip': 'characters',
  'platformProfile.sentFields.phone': 'characters',
  'platformProfile.pageSize': 'items',
  'platformProfile.undelivered': 'milliseconds',
  'platformProfile.deadlines': 'milliseconds',
};

/** The unit of a setting, such as `days`. Undefined for a setting without one. */
export function unitOf(key: string): string | undefined {
  return settingUnits[key] ?? settingUnits[key.split('.').slice(0, -1).join('.')];
}
