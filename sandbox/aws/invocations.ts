import { Hono } from 'hono';
import { invalidRequestType } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { FunctionHost } from './lambda/function-host.ts';

/**
 * What `aws lambda invoke` does, for a developer: `POST /functions/{name}/invocations` with the event as its body. 200 with
 * what the function answers; 400 if the function does not accept the event; 502 if the function fails.
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
    if (parseJson(payload) === undefined) return context.json({ message: 'The body must be the event, in JSON.' }, 400);
    const result = await host.invoke(payload);
    if (result.error !== undefined)
      return context.json(result.error, result.error.errorType === invalidRequestType ? 400 : 502);
    return context.body(result.payload, 200, { 'content-type': 'application/json' });
  });
  return app;
}
