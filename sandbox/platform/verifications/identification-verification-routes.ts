import { createRoute, type OpenAPIHono } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Requestors } from '#sandbox/platform/access/requestors.ts';
import { uuid } from '#sandbox/platform/core/fields.ts';
import { pageQuery, pagination } from '#sandbox/platform/core/page.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { errors, json, jsonBody, requestorHeader } from '#sandbox/platform/http/operation.ts';
import { createRouter } from '#sandbox/platform/http/router.ts';
import { identificationVerification, newIdentificationVerification } from './identification-verification-schema.ts';
import type { IdentificationVerifications } from './identification-verifications.ts';

export type IdentificationVerificationRoutesDeps = {
  readonly verifications: IdentificationVerifications;
  readonly requestors: Requestors;
  readonly settings: SettingsStore;
};

const path = '/entities/identification-verifications';
const isIdentification = true;

/** The operations of identification verifications (section 4). Each takes a Requestor-ID. */
export function createIdentificationVerificationRoutes(deps: IdentificationVerificationRoutesDeps): OpenAPIHono {
  const { verifications, requestors, settings } = deps;
  const router = createRouter(settings);

  router.openapi(
    createRoute({
      operationId: 'createIdentificationVerification',
      summary: 'Create Identification Verification (section 4)',
      method: 'post',
      path,
      request: { headers: requestorHeader, body: jsonBody(newIdentificationVerification) },
      responses: {
        200: json(
          'Received; the identificationUrl follows',
          z.strictObject({ identificationVerificationId: z.uuid() }),
        ),
        ...errors(403, 404, 501),
      },
    }),
    (context) => {
      const data = context.req.valid('json');
      const { naturalPersonId } = data;
      requestors.authorize(context.req.valid('header')['requestor-id'], { naturalPersonId, isIdentification });
      const { identificationVerificationId } = verifications.create(data);
      return context.json({ identificationVerificationId }, 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'listIdentificationVerifications',
      summary: 'Get Identification Verifications (section 4): those of whom the requestor may act for',
      method: 'get',
      path,
      request: { headers: requestorHeader, query: z.object(pageQuery) },
      responses: {
        200: json('A page', z.strictObject({ data: z.array(identificationVerification), pagination })),
        ...errors(403, 501),
      },
    }),
    (context) => {
      const requestorId = context.req.valid('header')['requestor-id'];
      requestors.requireActive(requestorId, { isIdentification });
      const query = context.req.valid('query');
      const page = requestors.mayActForOthers(requestorId)
        ? verifications.list(query, (naturalPersonId) => requestors.mayActFor(requestorId, naturalPersonId))
        : verifications.listOf(requestorId, query);
      return context.json(page, 200);
    },
  );

  router.openapi(
    createRoute({
      operationId: 'getIdentificationVerification',
      summary: 'Get Identification Verification (section 4)',
      method: 'get',
      path: `${path}/{identificationVerificationId}`,
      request: { headers: requestorHeader, params: z.object({ identificationVerificationId: uuid }) },
      responses: { 200: json('The verification', identificationVerification), ...errors(403, 404, 501) },
    }),
    (context) => {
      const requestorId = context.req.valid('header')['requestor-id'];
      requestors.requireActive(requestorId, { isIdentification });
      const verification = verifications.get(context.req.valid('param').identificationVerificationId);
      requestors.authorize(requestorId, { naturalPersonId: verification.naturalPersonId, isIdentification });
      return context.json(verification, 200);
    },
  );
  return router;
}
