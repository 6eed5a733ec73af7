import type * as z from 'zod';
import { plainMessage } from '#shared/plain-message.ts';
import { type Settings, settings } from './settings.ts';
import { describeIssues } from './settings-file/describe-issues.ts';
import { SettingsError } from './settings-file/settings-error.ts';

/**
 * Checks settings, and adds the defaults.
 *
 * @param summary what the message begins with
 * @throws {SettingsError} naming each setting that is wrong
 */
export function parseSettings(values: unknown, summary: string): Settings {
  return parseSetting(settings, values, summary);
}

/** The same of a single setting, which is at a path. @throws {SettingsError} */
export function parseSetting<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  summary: string,
  at: readonly PropertyKey[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({ ...issue, message: plainMessage(issue, false) }));
  return refuseSettings(describeIssues(issues, at), summary);
}

/** @param advice further lines of the message @throws {SettingsError} always */
export function refuseSettings(lines: readonly string[], summary: string, advice: readonly string[] = []): never {
  const listed = lines.map((line) => `  - ${line}`);
  const explained = 'npx --no -- drawbridge settings --explain says what each setting takes.';
  throw new SettingsError([`${summary}:`, ...listed, ...advice, explained].join('\n'));
}
