/** The CDK app from which `drawbridge cost` reads what is deployed. Costs do not depend on addresses: placeholders are welcome. */
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { addStacks } from '#infra/create-app.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';

const app = new App({ analyticsReporting: false });
const name = z.string().parse(app.node.tryGetContext('environment'));
addStacks(app, { name, settings: checkSettings(name, readSettingsFile(settingsDirectory, name)) });
app.synth();
