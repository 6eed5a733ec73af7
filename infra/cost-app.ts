/** The CDK app from which `drawbridge cost` reads what is deployed. Costs depend neither on addresses nor on names: placeholders are welcome. */
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { addStacks } from './create-app.ts';
import { checkSettings } from './read-settings.ts';
import { settingsDirectory } from './settings-file/settings-directory.ts';
import { readSettingsFile } from './settings-file/settings-file.ts';

const app = new App({ analyticsReporting: false });
const name = z.string().parse(app.node.tryGetContext('environment'));
const settings = checkSettings(name, readSettingsFile(settingsDirectory, name));
addStacks(app, { name, settings: { ...settings, onboarding: undefined, keepStandIns: true } });
app.synth();
