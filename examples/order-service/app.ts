import { join } from 'node:path';
import { Drawbridge, readSettings } from '@drawbridge-partner/drawbridge/cdk';
import { App } from 'aws-cdk-lib';
import { OrderService } from './order-service.ts';

const app = new App({ analyticsReporting: false });
const { name, settings } = readSettings(app.node, join(import.meta.dirname, 'settings'));
const drawbridge = new Drawbridge(app, 'Drawbridge', { environmentName: name, settings });
new OrderService(app, `order-service-${name}`, { drawbridge });
