import { settings } from '#infra/settings.ts';
import { nearestWord } from '#shared/nearest-word.ts';
import { SettingsError } from './settings-error.ts';

/** The settings that a context of the same name replaces. */
export const replaceableSettings = ['platform', 'platformProfile', 'onboarding', 'webhookSources'] as const;

/**
 * Refuses a context that is meant as a setting and would be ignored: a setting that only the file has, and a misspelt name.
 * The CDK and its users have context of their own.
 *
 * @throws {SettingsError} naming each key
 */
export function checkContextKeys(keys: readonly string[]): void {
  const used: readonly string[] = ['environment', ...replaceableSettings];
  const faults = keys.filter((key) => !used.includes(key)).flatMap((key) => faultOf(key, used));
  if (faults.length > 0) throw new SettingsError(['Drawbridge does not read this context:', ...faults].join('\n'));
}

function faultOf(key: string, used: readonly string[]): readonly string[] {
  const ofFile = Object.keys(settings.shape);
  const nearest = nearestWord(key, [...used, ...ofFile]);
  if (nearest === undefined) return [];
  if (nearest !== key) return [`  - ${key}: unknown. Did you mean ${nearest}?`];
  return [`  - ${key}: only the settings file sets it. The context replaces ${replaceableSettings.join(', ')}.`];
}
