import { OpenAPIHono } from '@hono/zod-openapi';
import { createAccessControl } from '#sandbox/platform/control/access-control.ts';
import { createAccountControl } from '#sandbox/platform/control/account-control.ts';
import { createClockControl } from '#sandbox/platform/control/clock-control.ts';
import { createFaultControl } from '#sandbox/platform/control/fault-control.ts';
import { createLogControl } from '#sandbox/platform/control/log-control.ts';
import { createOrderControl } from '#sandbox/platform/control/order-control.ts';
import { createPersonControl } from '#sandbox/platform/control/person-control.ts';
import { createStateControl } from '#sandbox/platform/control/state-control.ts';
import { createTransferControl } from '#sandbox/platform/control/transfer-control.ts';
import { createTriggerControl } from '#sandbox/platform/control/trigger-control.ts';
import { createWebhookControl } from '#sandbox/platform/control/webhook-control.ts';
import type { Platform } from './platform.ts';

/**
 * The control API, below /control. It requires no token.
 *
 * @param operations the operationIds of the API
 */
export function createControl(platform: Platform, operations: ReadonlySet<string>): OpenAPIHono {
  const control = new OpenAPIHono();
  control.get('/openapi.json', (context) =>
    context.json(
      control.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: 'The control API of the sandbox platform', version: '1.0' },
        servers: [{ url: '/control' }],
      }),
    ),
  );
  control.route('/', createClockControl(platform));
  control.route('/', createAccessControl(platform));
  control.route('/', createWebhookControl(platform));
  control.route('/', createLogControl(platform));
  control.route('/', createPersonControl(platform));
  control.route('/', createOrderControl(platform));
  control.route('/', createTransferControl(platform));
  control.route('/', createAccountControl(platform));
  control.route('/', createStateControl(platform));
  control.route('/', createTriggerControl(platform));
  control.route('/', createFaultControl({ ...platform, operations }));
  return control;
}
