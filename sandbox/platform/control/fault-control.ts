import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { type Faults, fault, placedFault } from '#sandbox/platform/faults/faults.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';

const removed = { description: 'Removed; no body' };

export type FaultControlDeps = {
  readonly faults: Faults;
  readonly settings: SettingsStore;
  /** The operationIds of the API. */
  readonly operations: ReadonlySet<string>;
};

/** The faults of API calls. */
export function createFaultControl({ faults, settings, operations }: FaultControlDeps): OpenAPIHono {
  const router = createRouter(settings);
  router.openapi(
    createRoute({
      operationId: 'placeFault',
      summary: 'Places a fault for calls of the API, in addition to the faults in place',
      method: 'post',
      path: '/faults',
      request: { body: jsonBody(fault) },
      responses: { 200: json('The fault', placedFault), ...errors() },
    }),
    (context) => {
      const placed = context.req.valid('json');
      if (placed.operation !== '*' && !operations.has(placed.operation))
        throw refusedField('operation', `is none of ${[...operations].join(', ')}.`);
      return context.json(faults.place(placed), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listFaults',
      summary: 'Every fault, including ended ones, with the number of times it has happened',
      method: 'get',
      path: '/faults',
      responses: { 200: json('Every fault', z.array(placedFault)), ...errors() },
    }),
    (context) => context.json(faults.list(), 200),
  );
  router.openapi(
    createRoute({
      operationId: 'removeFaults',
      summary: 'Ends every fault',
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
      summary: 'Ends one fault',
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
