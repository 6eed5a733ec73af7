import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';

/**
 * Rejects a body with a content type other than JSON. A route without required fields would treat such a body as an empty
 * object. A missing body counts as an empty object.
 */
export const requireJson: MiddlewareHandler = (context, next) => {
  const type = context.req.header('content-type') ?? 'application/json';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new HTTPException(400);
  return next();
};
