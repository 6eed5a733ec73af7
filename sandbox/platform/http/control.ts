import { OpenAPIHono } from '@hono/zod-openapi';
import { createAccessControl } from '#sandbox/platform/access/access-control.ts';
import { createFaultControl } from '#sandbox/platform/faults/fault-control.ts';
import { createPersonControl } from '#sandbox/platform/persons/person-control.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import { createAccountControl } from '#sandbox/platform/trading/account-control.ts';
import { createOrderControl } from '#sandbox/platform/trading/order-control.ts';
import { createTransferControl } from '#sandbox/platform/trading/transfer-control.ts';
import { createWebhookControl } from '#sandbox/platform/webhooks/webhook-control.ts';
import { createClockControl } from './clock-control.ts';

/**
 * What makes the platform do something, below /control. Takes no token.
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
  control.route('/', createPersonControl(platform));
  control.route('/', createFaultControl({ ...platform, operations }));
  control.route('/', createOrderControl(platform));
  control.route('/', createTransferControl(platform));
  control.route('/', createAccountControl(platform));
  return control;
}
