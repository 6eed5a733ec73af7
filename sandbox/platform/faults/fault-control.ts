import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import { type Faults, fault, placedFault } from './faults.ts';

const removed = { description: 'Removed; no body' };

/** The faults of the API. */
export function createFaultControl(deps: { readonly faults: Faults; readonly settings: SettingsStore }): OpenAPIHono {
  const { faults } = deps;
  const router = createRouter(deps.settings);
  router.openapi(
    createRoute({
      operationId: 'placeFault',
      method: 'post',
      path: '/faults',
      request: { body: jsonBody(fault) },
      responses: { 200: json('The fault', placedFault), ...errors() },
    }),
    (context) => context.json(faults.place(context.req.valid('json')), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'listFaults',
      method: 'get',
      path: '/faults',
      responses: { 200: json('Every fault', z.array(placedFault)), ...errors() },
    }),
    (context) => context.json(faults.list(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'removeFaults',
      method: 'delete',
      path: '/faults',
      responses: { 200: removed, ...errors() },
    }),
    (context) => {
      faults.clear();
      return context.body(null, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'removeFault',
      method: 'delete',
      path: '/faults/{id}',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: removed, ...errors(404) },
    }),
    (context) => {
      if (!faults.remove(context.req.valid('param').id)) throw new RefusedError(404, 'There is no such fault.');
      return context.body(null, 200);
    },
  );
  return router;
}
