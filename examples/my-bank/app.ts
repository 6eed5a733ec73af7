import { join } from 'node:path';
import { Drawbridge, readSettings, SettingsError } from '@drawbridge-partner/drawbridge/cdk';
import { App } from 'aws-cdk-lib';
import { OrdersStack } from './orders-stack.ts';

try {
  const app = new App({ analyticsReporting: false });
  const { name, settings } = readSettings(app.node, join(import.meta.dirname, 'settings'));
  const drawbridge = new Drawbridge(app, 'Drawbridge', { environmentName: name, settings });
  new OrdersStack(app, `my-bank-${name}-orders`, { drawbridge });
  app.synth();
} catch (error) {
  // Its message names the setting and the remedy.
  if (!(error instanceof SettingsError)) throw error;
  console.error(`\n${error.message}\n`);
  process.exitCode = 1;
}
