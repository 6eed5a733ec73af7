import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Clock } from '#sandbox/platform/core/clock.ts';
import { dateTime } from '#sandbox/platform/core/fields.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { Snapshots } from '#sandbox/platform/snapshots/snapshots.ts';

export type StateControlDeps = {
  readonly snapshots: Snapshots;
  readonly clock: Pick<Clock, 'now'>;
  readonly settings: SettingsStore;
};

const snapshot = z
  .strictObject({
    format: z.literal(1),
    savedOn: dateTime,
    state: z.record(z.string(), z.unknown()).describe('Only a state that this platform has written'),
  })
  .meta({ id: 'Snapshot' });

const changed = { description: 'Done; no body' };

/** The state of the platform as a whole. */
export function createStateControl({ snapshots, clock, settings }: StateControlDeps): OpenAPIHono {
  const router = createRouter(settings);
  router.openapi(
    createRoute({
      operationId: 'resetPlatform',
      summary: 'Removes all records, faults and logs, and sets the settings to those of the start',
      description: 'Tokens and registered webhooks stay, and so does the time.',
      method: 'post',
      path: '/reset',
      responses: { 200: changed, ...errors() },
    }),
    (context) => {
      snapshots.reset();
      return context.body(null, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'saveSnapshot',
      summary: 'All records, settings and faults, to be loaded later',
      description: 'Without tokens, webhooks and logs, and without deliveries, updates and cancels under way.',
      method: 'get',
      path: '/snapshot',
      responses: { 200: json('The snapshot', snapshot), ...errors() },
    }),
    (context) => context.json({ format: 1 as const, savedOn: clock.now().toISOString(), state: snapshots.save() }, 200),
  );
  router.openapi(
    createRoute({
      operationId: 'loadSnapshot',
      summary: 'Replaces all records, settings and faults by those of a snapshot',
      description: 'What follows by itself is scheduled from now on. An invalid snapshot has no effect.',
      method: 'put',
      path: '/snapshot',
      request: { body: jsonBody(snapshot) },
      responses: { 200: changed, ...errors() },
    }),
    (context) => {
      snapshots.load(context.req.valid('json').state);
      return context.body(null, 200);
    },
  );
  return router;
}
