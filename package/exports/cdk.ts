/** `@drawbridge-partner/drawbridge/cdk`: Drawbridge as a construct. Its functions are prebuilt in this package. */
export {
  BusSubscription,
  BusSubscriptionError,
  type BusSubscriptionProps,
  type DetailType,
} from '#infra/bus-subscription.ts';
export {
  Drawbridge,
  type DrawbridgeNetwork,
  type DrawbridgeProps,
  type DrawbridgeWebhookDomain,
} from '#infra/drawbridge.ts';
export { type Environment, readSettings } from '#infra/read-settings.ts';
export type { DrawbridgeSettings } from '#infra/settings.ts';
export { SettingsError } from '#infra/settings-file/settings-error.ts';
