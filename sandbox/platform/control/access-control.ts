import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Proxies } from '#sandbox/platform/access/proxies.ts';
import type { Tokens } from '#sandbox/platform/access/tokens.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';

export type AccessControlDeps = {
  readonly tokens: Tokens;
  readonly proxies: Proxies;
  readonly settings: SettingsStore;
};

const proxy = z
  .strictObject({
    proxyId: z.uuid(),
    representativeId: z.uuid(),
    naturalPersonId: z.uuid(),
    status: z.enum(['ACTIVE', 'INACTIVE']),
  })
  .meta({ id: 'Proxy' });

const personId = z.uuid().toLowerCase();
const proxyRequest = z.strictObject({ representativeId: personId, naturalPersonId: personId });

/** Revocation of tokens, and proxies. */
export function createAccessControl({ tokens, proxies, settings }: AccessControlDeps): OpenAPIHono {
  const router = createRouter(settings);
  router.openapi(
    createRoute({
      operationId: 'revokeTokens',
      summary: 'Revokes every token issued so far',
      method: 'post',
      path: '/tokens/revoke',
      responses: { 200: json('The number of tokens issued so far', z.strictObject({ issued: z.int() })), ...errors() },
    }),
    (context) => {
      tokens.revoke();
      return context.json({ issued: tokens.issued() }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'createProxy',
      summary: 'Creates a proxy, with which one natural person may represent another (section 5)',
      method: 'post',
      path: '/proxies',
      request: { body: jsonBody(proxyRequest) },
      responses: { 200: json('The proxy', proxy), ...errors() },
    }),
    (context) => {
      const { representativeId, naturalPersonId } = context.req.valid('json');
      return context.json(proxies.create(representativeId, naturalPersonId), 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'listProxies',
      summary: 'Every proxy, including INACTIVE ones',
      method: 'get',
      path: '/proxies',
      responses: { 200: json('Every proxy', z.array(proxy)), ...errors() },
    }),
    (context) => context.json([...proxies.list()], 200),
  );
  router.openapi(
    createRoute({
      operationId: 'deactivateProxy',
      summary: 'Ends a proxy',
      method: 'delete',
      path: '/proxies/{proxyId}',
      request: { params: z.object({ proxyId: z.uuid() }) },
      responses: { 200: json('The proxy', proxy), ...errors(404) },
    }),
    (context) => {
      const deactivated = proxies.deactivate(context.req.valid('param').proxyId);
      if (deactivated === undefined) throw new RefusedError(404, 'There is no such proxy.');
      return context.json(deactivated, 200);
    },
  );
  return router;
}
