/** A message waits no longer than this while the functions keep up. The alarms `…Late` and `doctor` use these limits. */
export const maxQueueAgeSeconds = { Webhooks: 900, Requests: 900, Onboarding: 3_600, TokenRefreshes: 1_800 } as const;
