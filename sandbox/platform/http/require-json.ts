import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';

/**
 * Refuses a body that is said to be something else than JSON. For routes that need no field of it: they would take it for
 * an empty object, and do what was not asked for. No body at all is one.
 */
export const requireJson: MiddlewareHandler = (context, next) => {
  const type = context.req.header('content-type') ?? 'application/json';
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new HTTPException(400);
  return next();
};
