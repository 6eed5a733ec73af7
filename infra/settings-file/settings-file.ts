import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SettingsError } from './settings-error.ts';

/** The environment that `npm start` hosts and the tests deploy. Its file belongs to the repository. */
export const laptop = 'laptop';

/** The file to copy for a new environment. Its addresses are placeholders. */
const example = 'example';

const environmentName = z.string().regex(/^[a-z][a-z0-9-]{0,30}$/);

/** What a message and a person call the file of an environment. */
export const fileNameOf = (environment: string) => `settings/${environment}.json`;

/** Whether a text can be the name of an environment, and so a part of the stacks' names. */
const isEnvironmentName = (text: unknown): text is string => environmentName.safeParse(text).success;

/** @throws {SettingsError} */
export function requireEnvironmentName(name: unknown): string {
  if (isEnvironmentName(name)) return name;
  throw new SettingsError(
    `"${String(name)}" is not the name of an environment. Use up to 31 lower case letters, digits and hyphens, a letter first.`,
  );
}

/** The environments with a file, in alphabetical order. */
export function listEnvironments(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .filter((name) => isEnvironmentName(name) && name !== example)
    .toSorted();
}

/** How to start a file for an environment. A repository of `drawbridge init` has no example: the file of another environment is copied. */
export const copyTheExample = (environment: string, known: readonly string[] = []) =>
  `Copy ${fileNameOf(known.find((name) => name !== laptop) ?? example)} to ${fileNameOf(environment)}, and set platform.baseUrl, platform.authUrl, runbookUrl and what the operator of your platform says of onboarding and platformProfile (see docs/how-to/deploy.md of Drawbridge).`;

/**
 * The content of an environment's file, not yet checked.
 *
 * @throws {SettingsError} when there is no such file, or when the file holds no JSON
 */
export function readSettingsFile(directory: string, environment: string): unknown {
  if (!existsSync(directory))
    throw new SettingsError(`There is no folder ${directory}: it holds a file for each environment of your CDK app.`);
  const path = join(directory, `${environment}.json`);
  if (!existsSync(path)) {
    const known = listEnvironments(directory);
    throw new SettingsError(
      `${fileNameOf(environment)} does not exist. The folder has: ${known.join(', ')}.\n${copyTheExample(environment, known)}`,
    );
  }
  try {
    // Editors of Windows begin a file with a byte order mark, which is not JSON.
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\u{feff}/u, ''));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError(`${fileNameOf(environment)} is not valid JSON: ${reason}`, { cause });
  }
}
