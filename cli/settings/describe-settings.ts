import { checkSettings } from '#infra/read-settings.ts';
import { fileNameOf, laptop, readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { findStandIns } from '#infra/settings-file/stand-ins.ts';
import { formatSettings } from './format-settings.ts';
import { type EffectiveSetting, listSettings } from './list-settings.ts';

export type DescribeSettingsProps = {
  /** The folder with a file for each environment. */
  readonly directory: string;
  readonly environment: string;
  readonly isJson: boolean;
  /** Of the terminal, in characters; undefined if none shows the text. */
  readonly width?: number | undefined;
};

/** Each setting of an environment, as a table with hints or as JSON. @throws {SettingsError} */
export function describeSettings({ directory, environment, isJson, width }: DescribeSettingsProps): string {
  const content = readSettingsFile(directory, environment);
  const settings = listSettings(environment, content);
  const file = fileNameOf(environment);
  if (isJson) return JSON.stringify({ environment, file, settings }, undefined, 2);
  // The laptop sends no alarm to anyone.
  const hints = environment === laptop ? [] : [...settingsHints(settings), ...standInHints(environment, content)];
  return [`Environment ${environment} (${file})`, formatSettings(settings, width), ...hints].join('\n\n');
}

/** A line for each setting that has a stand-in, with what to state. */
function standInHints(environment: string, content: unknown): readonly string[] {
  return findStandIns(checkSettings(environment, content)).map(
    ({ path, message }) => `${path.join('.')} has a stand-in, and the alarm StandInsUsed is on. ${message}`,
  );
}

/** What an operator misses while a setting is not set. */
const missed: Readonly<Record<string, string>> = {
  alarmSubscribers: 'no one gets the alarms of this environment.',
  runbookUrl: 'alarms name a command in place of a link to their section of the runbook.',
};

/** A line for each setting that is not set, that has no default, and that every deployment needs. */
export function settingsHints(settings: readonly EffectiveSetting[]): readonly string[] {
  return settings.flatMap(({ key, value }) => {
    const effect = missed[key];
    return value === undefined && effect !== undefined ? [`${key} is not set: ${effect}`] : [];
  });
}
