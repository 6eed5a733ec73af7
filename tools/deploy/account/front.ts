import { createServer, request } from 'node:http';
import { closeImmediately, listenOn } from '#sandbox/net/server.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';

/**
 * Lets the functions of an account reach the sandbox platform of this machine, which answers to no other name than that of the machine. Its
 * control API stays out of reach.
 *
 * @param port where a tunnel, or the network of this machine, sends the requests
 * @returns ends it
 */
export async function startFront({
  port,
  origin,
}: {
  readonly port: number;
  readonly origin: string;
}): Promise<() => Promise<void>> {
  const { host } = new URL(origin);
  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/';
    if (isRefused(path)) {
      answer.writeHead(404).end();
      return;
    }
    const { origin: _, ...headers } = asked.headers;
    const sent = request(`${origin}${path}`, { method: asked.method, headers: { ...headers, host } }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    sent.on('error', () => answer.headersSent || answer.writeHead(502).end());
    asked.pipe(sent);
  });
  await listenOn(server, port);
  return () => closeImmediately(server);
}

/** Whether a request is about the control API, or may be: its path cannot be read. */
function isRefused(path: string): boolean {
  const { pathname } = (path.startsWith('/') && URL.parse(`http://front.invalid${path}`)) || {};
  if (pathname === undefined) return true;
  try {
    return /^\/+control(?:\/|$)/i.test(decodeURIComponent(pathname));
  } catch {
    return true;
  }
}

/** Asks the platform by its public address, before anything is created. @throws {DeploymentError} if something else answers */
export async function checkReached(platformUrl: string): Promise<void> {
  const { status } = await fetch(`${platformUrl}/webhooks`).catch(() => ({ status: undefined }));
  // The platform refuses a call without a token.
  if (status !== 401)
    throw new DeploymentError(
      `Nothing was created: ${platformUrl} does not lead to --platform-port of this machine (${status ?? 'no answer'}).`,
    );
}
