/** `npm run settings`: prints the effective settings of an environment. Exit code 1 when a setting is refused. */
import { program } from 'commander';
import * as z from 'zod';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { chooseEnvironment } from '#infra/settings-file/settings-file.ts';
import { describeSettings } from './describe-settings.ts';

program
  .name('npm run settings --')
  .description('Prints each setting of an environment: its value, unit, default and source.')
  .option('--environment <name>', 'the environment (default: your only one, or laptop while you have none)')
  .option('--json', 'print JSON, with values in full', false)
  .parse();

const options = z.object({ environment: z.string().optional(), json: z.boolean() }).parse(program.opts());

try {
  const environment = chooseEnvironment(settingsDirectory, options.environment);
  const text = describeSettings({ directory: settingsDirectory, environment, isJson: options.json });
  process.stdout.write(`${text}\n`);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exitCode = 1;
}
