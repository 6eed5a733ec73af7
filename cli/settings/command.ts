import { join } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { appHelp } from '#cli/command/app-help.ts';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { settingsNameOf } from '#cli/deployment/deployment.ts';
import { repositoryFolder } from '#cli/init/package-folder.ts';
import { describeSettings } from '#cli/settings/describe-settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { explainSettings } from './explain-settings.ts';

const options = z.object({
  env: z.string(),
  json: z.boolean(),
  app: z.string().optional(),
  explain: z.union([z.boolean(), z.string()]),
});

/** Adds `settings`: those of an environment, or what each setting takes. */
export function addSettingsCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('settings')
    .description('Prints each setting of an environment: its value, unit, default and source.')
    .option('--app <folder>', appHelp)
    .option('--explain [setting]', 'print what each setting takes, or those of a group, in place of values', false)
    .action(() => {
      const { env, json, app = repositoryFolder ?? '.', explain } = options.parse(command.optsWithGlobals());
      const { output } = createContext(command, deps);
      if (explain !== false) {
        output.list(explainSettings(explain === true ? undefined : explain), {
          head: ['setting', 'unit', 'default', 'meaning'],
          row: (one) => [one.key, one.unit, shorten(one.default), one.meaning],
          none: 'There is no setting.',
        });
        return;
      }
      const directory = join(app, 'settings');
      const props = { directory, environment: settingsNameOf(env), isJson: json, width: deps.terminalWidth() };
      deps.stdout(`${describe(props)}\n`);
    });
  documentCommand(command, {
    examples: [
      'drawbridge settings --env production',
      'drawbridge settings --explain',
      'drawbridge settings --explain reconciliation',
    ],
    json: '`environment`, `file`, and `settings`, each with `key`, `value`, `unit`, `default` and `source`. With `--explain`, `key`, `meaning`, `unit` and `default` of each setting, one a line',
  });
}

/** @throws {CommandError} for a missing file, and for a setting that is refused */
function describe(props: Parameters<typeof describeSettings>[0]): string {
  try {
    return describeSettings(props);
  } catch (cause) {
    if (cause instanceof SettingsError)
      throw new CommandError(cause.message, 'correct what the message names, or name another environment with --env.', {
        cause,
      });
    throw cause;
  }
}

/** In characters. The schema has longer defaults in full. */
const maxDefault = 24;

function shorten(value: unknown): string | undefined {
  const text = value === undefined ? undefined : JSON.stringify(value);
  return text === undefined || text.length <= maxDefault ? text : `${text.slice(0, maxDefault - 1)}…`;
}
