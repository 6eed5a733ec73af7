import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { readJsonFile } from '#cli/command/read-json-file.ts';

const credentials = z.strictObject({ clientId: z.string().min(1), clientSecret: z.string().min(1) });

/** What the operator of the platform issued (section 5). */
export type Credentials = Readonly<z.infer<typeof credentials>>;

/**
 * Asks for the credentials without showing them, or reads them from a file.
 *
 * @param file `-` is the standard input
 * @throws {CommandError} whose message names no value
 */
export async function takeCredentials(
  file: string | undefined,
  deps: Pick<CommandDeps, 'askSecret' | 'readFile'>,
): Promise<Credentials> {
  return file === undefined ? ask(deps) : check(readJsonFile(file, deps));
}

async function ask({ askSecret }: Pick<CommandDeps, 'askSecret'>): Promise<Credentials> {
  if (askSecret === undefined)
    throw new CommandError('There is no terminal to ask for the credentials.', 'run the command again with --file.');
  const clientId = await askSecret('Client id');
  const clientSecret = clientId === undefined ? undefined : await askSecret('Client secret');
  if (clientSecret === undefined) throw new CommandError('Canceled: nothing was stored.', 'run the command again.');
  return check({ clientId, clientSecret });
}

function check(value: unknown): Credentials {
  const result = credentials.safeParse(value);
  if (result.success) return result.data;
  throw new CommandError(
    'The credentials are a clientId and a clientSecret, both of at least one character, and nothing else.',
    'run the command again.',
  );
}
