import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Drawbridge, readSettings } from 'drawbridge/cdk';
import { OrdersStack } from './orders-stack.ts';

const app = new App({ analyticsReporting: false });
const { name, settings } = readSettings(app.node, join(import.meta.dirname, 'settings'));
const drawbridge = new Drawbridge(app, 'Drawbridge', { environmentName: name, settings });
new OrdersStack(app, `my-bank-${name}-orders`, { drawbridge });
