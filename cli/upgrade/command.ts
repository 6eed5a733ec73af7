import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { settingsNameOf } from '#cli/deployment/deployment.ts';
import { packageFolder, repositoryFolder } from '#cli/init/package-folder.ts';
import { checkSettings } from '#infra/read-settings.ts';
import type { Settings } from '#infra/settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { version as installed } from '#shared/version.ts';
import { checkKeys } from './check-keys.ts';
import { formatUpgrade } from './format-upgrade.ts';
import { planUpgrade } from './plan-upgrade.ts';

/** Adds `upgrade --check`: what the way from the deployed release to this one asks for. */
export function addUpgradeCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('upgrade')
    .description(
      'Compares the deployed release with the installed one, and says what an upgrade changes. Deploys nothing.',
    )
    .requiredOption('--check', 'only compare')
    .action(async () => {
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const { outputs, environment } = deployment;
      const deployed = outputs.get('Version');
      if (deployed === undefined)
        throw new CommandError('The service stack has no output Version.', 'npx cdk deploy --all');
      const changelog = readFileSync(join(packageFolder ?? repositoryFolder ?? '', 'CHANGELOG.md'), 'utf8');
      const plan = planUpgrade({ deployed, installed, changelog });
      const { problem: keys, notChecked } = await checkKeys(keysSettingOf(environment), deployment);
      output.answer({ environment, ...plan, keys: keys ?? null, keysNotChecked: notChecked ?? null }, () =>
        [
          ...(keys === undefined ? [] : [keys, '']),
          formatUpgrade(plan, environment),
          ...(notChecked === undefined ? [] : ['', `keys: not checked, ${notChecked}.`]),
        ].join('\n'),
      );
      const isRefused = plan.skippedMinors.length > 0 || plan.direction === 'unsupported' || keys !== undefined;
      if (isRefused) deps.exit(exitCodes.failed);
    });
  documentCommand(command, {
    failed:
      'another minor release must be deployed first, no upgrade from the deployed release is supported, or the setting `keys` cannot become `separate` yet',
    examples: ['drawbridge upgrade --check --env production'],
    json: '`environment`, `deployed`, `installed`, `direction` (`none`, `upgrade`, `rollback`, or `unsupported` from before the first release), `skippedMinors`, `before` (what to do first), `changes`, `removed`, `keys` (why the setting cannot become `separate` yet, or null) and `keysNotChecked` (why nothing is known of the setting, or null)',
  });
}

/** The setting `keys` of the settings file. Undefined if there is no file that can be read, as in an app with other files. */
function keysSettingOf(environment: string): Settings['keys'] | undefined {
  try {
    const name = settingsNameOf(environment);
    return checkSettings(name, readSettingsFile(join(repositoryFolder ?? '.', 'settings'), name)).keys;
  } catch (error) {
    if (error instanceof SettingsError) return undefined;
    throw error;
  }
}
