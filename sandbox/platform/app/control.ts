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
import { tagged } from '#sandbox/platform/http/tagged.ts';
import type { Platform } from './platform.ts';

const controlTags = [
  { name: 'Clock and settings', description: 'The time of the platform, and what the specification leaves open' },
  { name: 'Triggers', description: 'Webhooks, life cycles, personas and traffic on request' },
  { name: 'Logs', description: 'The latest calls and deliveries' },
  { name: 'State', description: 'Reset and snapshots' },
  { name: 'Faults', description: 'How calls of the API fail' },
  { name: 'Notifications', description: 'Any body, and undelivered webhooks' },
  { name: 'Persons', description: 'Persons, their statuses and video calls' },
  { name: 'Orders', description: 'What the exchange does' },
  { name: 'Transfers', description: 'What the payment network does' },
  { name: 'Accounts and assets', description: 'What persons have, and what is traded' },
  { name: 'Tokens and proxies', description: 'Who may act' },
];

export type ControlOptions = {
  /** The operationIds of the API. */
  readonly operations: ReadonlySet<string>;
  /** Advances the clock, by default that of the platform only. */
  readonly advance?: ((seconds: number) => Promise<void>) | undefined;
};

/** The control API, below /control. It requires no token. */
export function createControl(
  platform: Platform,
  { operations, advance = platform.clock.advance }: ControlOptions,
): OpenAPIHono {
  const control = new OpenAPIHono();
  control.get('/openapi.json', (context) =>
    context.json(
      control.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: 'The control API of the sandbox platform', version: '1.0' },
        tags: controlTags,
        servers: [{ url: '/control' }],
      }),
    ),
  );
  control.route('/', tagged('Clock and settings', createClockControl({ ...platform, advance })));
  control.route('/', tagged('Tokens and proxies', createAccessControl(platform)));
  control.route('/', tagged('Notifications', createWebhookControl(platform)));
  control.route('/', tagged('Logs', createLogControl(platform)));
  control.route('/', tagged('Persons', createPersonControl(platform)));
  control.route('/', tagged('Orders', createOrderControl(platform)));
  control.route('/', tagged('Transfers', createTransferControl(platform)));
  control.route('/', tagged('Accounts and assets', createAccountControl(platform)));
  control.route('/', tagged('State', createStateControl(platform)));
  control.route('/', tagged('Triggers', createTriggerControl(platform)));
  control.route('/', tagged('Faults', createFaultControl({ ...platform, operations })));
  return control;
}
