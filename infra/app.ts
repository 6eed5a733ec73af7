import { App } from 'aws-cdk-lib';
import { addStacks } from './create-app.ts';
import { appContext } from './parts/feature-flags.ts';
import { checkContext, readSettings } from './read-settings.ts';
import { settingsDirectory } from './settings-file/settings-directory.ts';
import { SettingsError } from './settings-file/settings-error.ts';

try {
  const app = new App({ analyticsReporting: false, context: appContext });
  checkContext(app.node);
  addStacks(app, readSettings(app.node, settingsDirectory));
  app.synth();
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exitCode = 1;
}
