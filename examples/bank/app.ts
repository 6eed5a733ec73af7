import { join } from 'node:path';
import { Drawbridge, readSettings } from '@drawbridge-partner/drawbridge/cdk';
import { App } from 'aws-cdk-lib';
import { Bank } from './bank.ts';
import { Foundation } from './foundation.ts';

const app = new App({ analyticsReporting: false });
const { name, settings } = readSettings(app.node, join(import.meta.dirname, 'settings'));
// The laptop hosts no VPC and no key.
const foundation =
  name === 'laptop' ? undefined : new Foundation(app, `bank-${name}-foundation`, { environmentName: name });
const drawbridge = new Drawbridge(app, 'Drawbridge', { environmentName: name, settings, ...foundation?.ours });
new Bank(app, `bank-${name}`, { drawbridge });
