import { Hono } from 'hono';
import { invalidRequestType } from '#shared/drawbridge-error.ts';
import type { FunctionHost } from './lambda/function-host.ts';

/**
 * What `aws lambda invoke` does, for a developer: `POST /functions/{name}/invocations` with the event as its body. 200 with
 * what the function answers; 400 where the function does not accept the event; 502 where the function fails.
 */
export function createInvocations(hosted: () => Pick<FunctionHost, 'functions' | 'find'> | undefined): Hono {
  const app = new Hono();
  app.post('/functions/:name/invocations', async (context) => {
    const name = context.req.param('name');
    const host = hosted()?.find(name);
    if (host === undefined) {
      const known =
        hosted()
          ?.functions.map((candidate) => candidate.name)
          .join(', ') || 'none';
      return context.json({ message: `There is no function ${name}. There are: ${known}.` }, 404);
    }
    const payload = await context.req.text();
    if (!isJson(payload)) return context.json({ message: 'The body must be the event, in JSON.' }, 400);
    const result = await host.invoke(payload);
    if (result.error !== undefined) return context.json(result.error, statusOf(result.error.errorType));
    return context.body(result.payload, 200, { 'content-type': 'application/json' });
  });
  return app;
}

function statusOf(errorType: string): 400 | 502 {
  return errorType === invalidRequestType ? 400 : 502;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
