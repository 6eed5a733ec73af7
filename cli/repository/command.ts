import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { repositoryFolder } from '#cli/init/package-folder.ts';
import { count } from '#sandbox/terminal/command-line.ts';

const options = z.object({
  env: z.string(),
  json: z.boolean(),
  region: z.string().optional(),
  webhooks: z.number().optional(),
});

/** Adds `settings` and `cost`, which read the settings files of this repository. */
export function addRepositoryCommands(program: Command, deps: CommandDeps): void {
  const settings = program
    .command('settings')
    .description('Prints each setting of an environment: its value, unit, default and source.')
    .action(async () => {
      const { env, json } = options.parse(settings.optsWithGlobals());
      await runScript('infra/settings-command/main.ts', [...environmentOf(env), ...(json ? ['--json'] : [])], deps);
    });
  documentCommand(settings, {
    examples: ['drawbridge settings --env production'],
    json: '`environment`, `file`, and `settings`, each with `key`, `value`, `unit`, `default` and `source`',
  });
  const cost = program
    .command('cost')
    .description('Prints what an environment costs a month in US dollars, by volume.')
    .option('--webhooks <number>', 'webhooks a month; idle, 10,000, 1 million and 100 million unless given', count)
    .action(async () => {
      const { env, json, region, webhooks } = options.parse(cost.optsWithGlobals());
      await runScript(
        'infra/cost/main.ts',
        [
          ...environmentOf(env),
          ...(region === undefined ? [] : ['--region', region]),
          ...(webhooks === undefined ? [] : ['--webhooks', String(webhooks)]),
          ...(json ? ['--json'] : []),
        ],
        deps,
      );
    });
  documentCommand(cost, {
    examples: ['drawbridge cost --env production --webhooks 1000000'],
    json: '`environment`, `region`, `pricesOf`, `assumptions`, `columns` (a volume each, with quantities) and `notPriced`',
  });
}

function environmentOf(env: string): readonly string[] {
  return ['--environment', env === 'local' ? 'laptop' : env];
}

const failure = z.object({ stdout: z.string(), stderr: z.string() });

/** The scripts load the CDK: a process of their own keeps the other commands small. @throws {CommandError} */
async function runScript(script: string, args: readonly string[], { stdout }: CommandDeps): Promise<void> {
  if (repositoryFolder === undefined)
    throw new CommandError(
      'This command reads the settings files of the repository of Drawbridge, and this is the npm package.',
      'read the settings in your own CDK app: they are the property settings of the construct Drawbridge.',
    );
  try {
    const run = await promisify(execFile)(process.execPath, [join(repositoryFolder, script), ...args], {
      cwd: repositoryFolder,
    });
    stdout(run.stdout);
  } catch (cause) {
    const { stderr } = failure.catch({ stdout: '', stderr: String(cause) }).parse(cause);
    throw new CommandError(stderr.trim(), 'correct what the message names, or name another environment with --env.', {
      cause,
    });
  }
}
