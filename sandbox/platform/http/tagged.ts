import type { OpenAPIHono } from '@hono/zod-openapi';

/** Puts every operation of a router below a heading of the OpenAPI document. */
export function tagged(tag: string, router: OpenAPIHono): OpenAPIHono {
  for (const definition of router.openAPIRegistry.definitions)
    if (definition.type === 'route') definition.route.tags = [tag];
  return router;
}
