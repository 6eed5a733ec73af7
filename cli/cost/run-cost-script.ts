import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';

export type CostScriptOptions = {
  /** Of the settings file. */
  readonly name: string;
  readonly region: string;
  readonly webhooks: number | undefined;
  readonly entities: number | undefined;
  readonly isJson: boolean;
};

const failure = z.object({ stderr: z.string() });

/**
 * Runs `npm run cost` of the repository of Drawbridge. The script loads the CDK: a process of its own keeps the other commands
 * small, and needs no bundled functions.
 *
 * @throws {CommandError}
 */
export async function runCostScript(
  repository: string,
  { name, region, webhooks, entities, isJson }: CostScriptOptions,
): Promise<string> {
  const args = [
    ...['--environment', name, '--region', region],
    ...(webhooks === undefined ? [] : ['--webhooks', String(webhooks)]),
    ...(entities === undefined ? [] : ['--entities', String(entities)]),
    ...(isJson ? ['--json'] : []),
  ];
  try {
    const run = await promisify(execFile)(process.execPath, [join(repository, 'infra/cost/main.ts'), ...args], {
      cwd: repository,
    });
    return run.stdout;
  } catch (cause) {
    const { stderr } = failure.catch({ stderr: String(cause) }).parse(cause);
    throw new CommandError(stderr.trim(), 'correct what the message names, or name another environment with --env.', {
      cause,
    });
  }
}
