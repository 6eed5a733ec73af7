import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { errors } from '#sandbox/platform/http/operation.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { Tokens } from './tokens.ts';

/** Section 5.2. Further fields are ignored (RFC 6749 section 3.2). */
const tokenRequest = z.object({
  grant_type: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  scope: z.string().optional(),
});

/** Section 5.3. */
const tokenResponse = z
  .strictObject({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int() })
  .meta({ id: 'Token' });

/** RFC 6749 section 5.2. */
const tokenError = z
  .strictObject({
    error: z.enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
  })
  .meta({ id: 'TokenError' });

type TokenErrorCode = z.infer<typeof tokenError>['error'];

/** RFC 6749 section 5.1: no cache may keep a token. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' };

const formType = 'application/x-www-form-urlencoded';

/** Get Token (sections 4 and 5) at the path of the profile. Its errors are those of RFC 6749. */
export function createTokenRoutes(tokens: Tokens, { token: { path, scope } }: PlatformProfile): OpenAPIHono {
  const route = createRoute({
    operationId: 'getToken',
    summary: 'Get Token (section 5)',
    method: 'post',
    path,
    security: [],
    request: { body: { required: true, content: { [formType]: { schema: tokenRequest } } } },
    responses: {
      ...errors(),
      200: { description: 'A token', content: { 'application/json': { schema: tokenResponse } } },
      400: { description: 'No token', content: { 'application/json': { schema: tokenError } } },
    },
  });
  const refuse = (context: Context, error: TokenErrorCode) => context.json({ error }, 400, uncached);

  const app = new OpenAPIHono({
    defaultHook: (result, context) => (result.success ? undefined : refuse(context, 'invalid_request')),
  });
  app.onError((error, context) => {
    if (error instanceof HTTPException) return refuse(context, 'invalid_request');
    throw error;
  });
  return app.openapi(route, (context) => {
    const {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: grantType,
      ...form
    } = context.req.valid('form');
    if (!isForm(context.req.header('content-type'))) return refuse(context, 'invalid_request');
    if (!tokens.accepts({ clientId, clientSecret })) return refuse(context, 'invalid_client');
    if (grantType !== 'client_credentials') return refuse(context, 'unsupported_grant_type');
    if (scope !== undefined && form.scope !== scope) return refuse(context, 'invalid_scope');
    const { accessToken, expiresIn } = tokens.issue();
    const token = { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn };
    return context.json(token, 200, uncached);
  });
}

/** The router accepts multipart/form-data as a form; section 5.2 does not. */
function isForm(contentType = ''): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === formType;
}
