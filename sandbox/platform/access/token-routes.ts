import { createRoute, OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import * as z from 'zod';
import type { PlatformProfile } from '#shared/platform/profile.ts';
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

/** Get Token (sections 4 and 5), where the profile says that it is. */
export function createTokenRoutes(tokens: Tokens, { token: { path, scope } }: PlatformProfile): OpenAPIHono {
  const route = createRoute({
    operationId: 'getToken',
    summary: 'Get Token (section 5)',
    method: 'post',
    path,
    security: [],
    request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: tokenRequest } } } },
    responses: {
      200: { description: 'A token', content: { 'application/json': { schema: tokenResponse } } },
      400: { description: 'No token', content: { 'application/json': { schema: tokenError } } },
    },
  });
  const refuse = (context: Context, error: TokenErrorCode) => context.json({ error }, 400);

  const app = new OpenAPIHono({
    defaultHook: (result, context) => (result.success ? undefined : refuse(context, 'invalid_request')),
  });
  app.onError((_, context) => refuse(context, 'invalid_request'));
  return app.openapi(route, (context) => {
    const form = context.req.valid('form');
    if (!tokens.accepts({ clientId: form.client_id, clientSecret: form.client_secret }))
      return context.json({ error: 'invalid_client' as const }, 400);
    if (form.grant_type !== 'client_credentials')
      return context.json({ error: 'unsupported_grant_type' as const }, 400);
    if (scope !== undefined && form.scope !== scope) return context.json({ error: 'invalid_scope' as const }, 400);
    const { accessToken, expiresIn } = tokens.issue();
    return context.json({ access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn }, 200);
  });
}
