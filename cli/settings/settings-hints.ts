import type { EffectiveSetting } from './list-settings.ts';

/** What an operator misses while a setting is not set. */
const missed: Readonly<Record<string, string>> = {
  alarmSubscribers: 'no one gets the alarms of this environment.',
  runbookUrl: 'alarms name the path of their runbook section, without a link.',
};

/** A line for each setting that is not set, that has no default, and that every deployment needs. */
export function settingsHints(settings: readonly EffectiveSetting[]): readonly string[] {
  return settings.flatMap(({ key, value }) => {
    const effect = missed[key];
    return value === undefined && effect !== undefined ? [`${key} is not set: ${effect}`] : [];
  });
}
