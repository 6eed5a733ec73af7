/** In seconds: a message waits no longer than this while the functions keep up. Of the alarms `…Late`, and of `doctor`. */
export const queueAgeLimits = { Webhooks: 900, Requests: 900, Onboarding: 3_600, TokenRefreshes: 1_800 } as const;
