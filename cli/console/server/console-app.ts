import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamText } from 'hono/streaming';
import * as z from 'zod';
import { ApiError, CliError, messageOf } from '#cli/command/command-error.ts';
import type { Action } from '#cli/console/actions/define-action.ts';
import { createPendingActions } from '#cli/console/actions/pending-actions.ts';
import type { ConsoleAssets } from '#cli/console/assets/build-assets.ts';
import { checkInput } from '#cli/console/check-input.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import type { Read } from '#cli/console/reads/define-read.ts';
import { crossSiteRefusalOf, securityHeaders } from './cross-site-guard.ts';
import { answerLive, type LiveRouteDeps } from './live-route.ts';
import type { ConsoleSession } from './session.ts';

export type ConsoleAppDeps = LiveRouteDeps & {
  readonly context: ConsoleContext;
  readonly reads: Readonly<Record<string, Pick<Read<never, unknown>, 'readChecked'>>>;
  readonly actions: Readonly<Record<string, Pick<Action<never>, 'isRead' | 'prepareChecked'>>>;
  readonly assets: ConsoleAssets;
  readonly session: ConsoleSession;
};

/** What the pages get in place of an answer. */
export type ConsoleProblem = { readonly message: string; readonly status: number };

const oneTimeToken = z.object({ token: z.string() });
const confirmed = z.object({ confirmation: z.string() });

/** The largest request is the form of an onboarding. In bytes. */
const maxBody = 256 * 1024;

/** Serves the pages, what they read, what they do, and what happens meanwhile. */
export function createConsoleApp(deps: ConsoleAppDeps): Hono {
  const { context, assets, session } = deps;
  const { isOperator, deps: commandDeps } = context;
  const pending = createPendingActions({ now: commandDeps.now, newId: () => crypto.randomUUID() });
  // By a map, a name such as `__proto__` finds nothing.
  const readsByName = new Map(Object.entries(deps.reads));
  const actionsByName = new Map(Object.entries(deps.actions));
  const app = new Hono();

  app.onError((error, c) => answerProblem(c, error));

  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value);
    const refusal = crossSiteRefusalOf({
      method: c.req.method,
      origin: c.req.header('origin'),
      fetchSite: c.req.header('sec-fetch-site'),
    });
    if (refusal !== undefined) return c.json<ConsoleProblem>({ message: refusal, status: 403 }, 403);
    return next();
  });

  app.get('/assets/icon.svg', (c) => c.body(icon, 200, { 'content-type': 'image/svg+xml' }));
  app.get('/assets/*', (c) => {
    const asset = assets.get(c.req.path);
    if (asset === undefined) return c.text('There is no such file.', 404);
    return c.body(new Uint8Array(asset.body), 200, { 'content-type': asset.contentType });
  });

  app.use('/api/*', bodyLimit({ maxSize: maxBody }));

  app.post('/api/open', async (c) => {
    const opened = session.open(checkInput(oneTimeToken, await c.req.json()).token);
    return opened === undefined ? c.json(noSession, 401) : c.json({ session: opened });
  });

  app.use('/api/*', async (c, next) => {
    const [, given] = /^Bearer (\S+)$/.exec(c.req.header('authorization') ?? '') ?? [];
    return session.isOpen(given) ? next() : c.json(noSession, 401);
  });

  app.get('/api/live', (c) => answerLive(c, deps));

  app.get('/api/read/:name', async (c) => {
    const read = readsByName.get(c.req.param('name'));
    if (read === undefined) return c.json<ConsoleProblem>({ message: 'There is no such read.', status: 404 }, 404);
    return c.json((await read.readChecked(c.req.query())) ?? null);
  });

  app.post('/api/actions/:name/preview', async (c) => {
    const action = actionsByName.get(c.req.param('name'));
    if (action === undefined) return c.json<ConsoleProblem>({ message: 'There is no such action.', status: 404 }, 404);
    if (!isOperator && !action.isRead) return c.json(readOnly, 403);
    const prepared = await action.prepareChecked(await c.req.json());
    return c.json({ confirmation: pending.add(prepared), preview: prepared.preview });
  });

  app.post('/api/actions/run', async (c) => {
    const { confirmation } = checkInput(confirmed, await c.req.json());
    const prepared = pending.take(confirmation);
    if (prepared === undefined)
      return c.json<ConsoleProblem>(
        { message: 'This preview was confirmed before, or is too old. Open it again.', status: 409 },
        409,
      );
    // One JSON object a line: how far it is, and at the end the result.
    return streamText(c, async (stream) => {
      const write = (value: object) => stream.writeln(JSON.stringify(value));
      try {
        const result = await prepared.run((done, total) => {
          write({ done, total }).catch(() => undefined);
        });
        await write({ result });
      } catch (error) {
        await write({ problem: problemOf(error) });
      }
    });
  });

  app.all('/api/*', (c) => c.json<ConsoleProblem>({ message: 'There is no such route.', status: 404 }, 404));
  app.get('*', (c) => c.html(page));
  return app;
}

const noSession: ConsoleProblem = { message: 'This window has no session.', status: 401 };

const readOnly: ConsoleProblem = {
  message: 'This console only reads. To write, start it with --operator.',
  status: 403,
};

function answerProblem(c: Context, error: unknown): Response {
  const problem = problemOf(error);
  for (const [name, value] of Object.entries(securityHeaders)) c.header(name, value);
  return Response.json(problem, { status: problem.status, headers: c.res.headers });
}

/** An error of a command says what to do next. Of any other, only the message is shown. */
function problemOf(error: unknown): ConsoleProblem {
  if (error instanceof ApiError) return { message: error.message, status: error.status };
  if (error instanceof CliError) return { message: error.message, status: error.code === 'INVALID_INPUT' ? 400 : 502 };
  if (error instanceof SyntaxError) return { message: 'The request is not JSON.', status: 400 };
  return { message: messageOf(error), status: 500 };
}

/** The one page of the console: the script shows the rest by the address. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Drawbridge console</title>
<link rel="icon" href="/assets/icon.svg">
<link rel="stylesheet" href="/assets/console.css">
<script type="module" src="/assets/console.js"></script>
</head>
<body><div id="console"></div></body>
</html>
`;

/** The two towers of a bridge, and its deck. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b75"/><path d="M8 7v18M24 7v18M4 20h24M8 9c3 8 13 8 16 0" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`;
