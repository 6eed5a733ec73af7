import * as z from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import type { CommandDeps } from './command-deps.ts';
import { CommandError } from './command-error.ts';

const jsonObject = z.record(z.string(), z.unknown());

/** Reads a file with a JSON object. The message of an error quotes nothing of the file. @throws {CommandError} */
export function readJsonFile(
  path: string,
  { readFile }: Pick<CommandDeps, 'readFile'>,
): Readonly<Record<string, unknown>> {
  const result = jsonObject.safeParse(parseJson(readText(path, readFile)));
  if (result.success) return result.data;
  const named = path === '-' ? 'The standard input' : path;
  throw new CommandError(`${named} holds no JSON object.`, 'correct the JSON, and run the command again.');
}

function readText(path: string, readFile: CommandDeps['readFile']): string {
  try {
    return readFile(path);
  } catch (cause) {
    throw new CommandError(`${path} cannot be read.`, 'name a file that exists, or - for the standard input.', {
      cause,
    });
  }
}
