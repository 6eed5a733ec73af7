import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { LegalEntities } from '#sandbox/platform/access/legal-entities.ts';
import { type Proxies, proxy } from '#sandbox/platform/access/proxies.ts';
import type { Tokens } from '#sandbox/platform/access/tokens.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import type { Accounts } from '#sandbox/platform/trading/accounts/accounts.ts';
import { money, moneyDigits, toUnits } from '#sandbox/platform/trading/accounts/decimal.ts';

export type AccessControlDeps = {
  readonly tokens: Tokens;
  readonly proxies: Proxies;
  readonly legalEntities: LegalEntities;
  readonly accounts: Pick<Accounts, 'set'>;
  readonly settings: SettingsStore;
};

const personId = z.uuid().toLowerCase();
const proxyRequest = z
  .strictObject({
    representativeId: personId,
    naturalPersonId: personId.optional(),
    legalEntityId: personId.optional().describe('In place of naturalPersonId'),
  })
  .superRefine(({ naturalPersonId, legalEntityId }, context) => {
    if ((naturalPersonId === undefined) !== (legalEntityId === undefined)) return;
    context.addIssue({
      code: 'custom',
      path: ['naturalPersonId'],
      message: 'must be given, or legalEntityId: not both',
    });
  });

const newLegalEntity = z.strictObject({ cash: money.optional().describe('What is on its account; 0 unless given') });

/** Revocation of tokens, legal entities, and proxies. */
export function createAccessControl(deps: AccessControlDeps): OpenAPIHono {
  const { tokens, proxies, legalEntities, accounts, settings } = deps;
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
      operationId: 'createLegalEntity',
      summary: 'Creates a legal entity, for which a natural person with a proxy may act (section 5)',
      method: 'post',
      path: '/legal-entities',
      request: { body: jsonBody(newLegalEntity) },
      responses: { 200: json('Its id', z.strictObject({ legalEntityId: z.uuid() })), ...errors() },
    }),
    (context) => {
      const { cash } = context.req.valid('json');
      const legalEntityId = legalEntities.create();
      if (cash !== undefined) accounts.set(legalEntityId, { cash: toUnits(cash, moneyDigits) });
      return context.json({ legalEntityId }, 200);
    },
  );
  router.openapi(
    createRoute({
      operationId: 'createProxy',
      summary: 'Creates a proxy, with which a natural person may represent another one, or a legal entity (section 5)',
      method: 'post',
      path: '/proxies',
      request: { body: jsonBody(proxyRequest) },
      responses: { 200: json('The proxy', proxy), ...errors() },
    }),
    (context) => {
      const { representativeId, naturalPersonId, legalEntityId = '' } = context.req.valid('json');
      const represented = naturalPersonId === undefined ? { legalEntityId } : { naturalPersonId };
      return context.json(proxies.represent(representativeId, represented), 200);
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
