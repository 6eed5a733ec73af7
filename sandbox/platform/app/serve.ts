import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { SandboxError } from '#sandbox/errors.ts';
import { createReferencePages } from '#sandbox/net/reference-pages.ts';
import { hostRefusalOf } from '#sandbox/net/request-guard.ts';
import { closeImmediately, type Listening, listenOn, portOf } from '#sandbox/net/server.ts';
import { toErrorBody } from '#sandbox/platform/core/refused-error.ts';
import { createPlatformApp } from './app.ts';
import { createPlatform, type Platform, type PlatformOptions } from './platform.ts';

export type PlatformServerOptions = PlatformOptions & {
  /** The port, by default a free one. */
  readonly port?: number | undefined;
  /** Whether the platform answers at the name by which containers call this machine. */
  readonly answersContainers?: boolean | undefined;
  /** Further routes below /control. */
  readonly furtherControl?: Hono;
  /** Advances the clock for the control API, by default that of the platform only. */
  readonly advance?: ((seconds: number) => Promise<void>) | undefined;
  /** Awaited before each call, to observe, delay or break it. It must clone the request to read its body. */
  readonly onCall?: ((request: Request) => Promise<void> | void) | undefined;
};

const pageOf = createReferencePages({
  title: 'The sandbox platform of Drawbridge',
  documents: [
    { name: 'The platform', path: '/openapi.json' },
    { name: 'Its control API', path: '/control/openapi.json' },
  ],
  overview: { control: '/control' },
});

type Answer = Parameters<typeof getRequestListener>[0];

export type PlatformServer = Listening & {
  readonly platform: Platform;
  readonly port: number;
  /** Takes the platform profile of an environment, as `adopt` of the platform does, with its paths. */
  readonly adopt: Platform['adopt'];
};

/**
 * Starts a platform on a port of this machine: {base_url} and {auth_url} are both its origin.
 *
 * @throws {SandboxError} PORT_TAKEN
 */
export async function startPlatformServer({
  port: wanted = 0,
  answersContainers,
  furtherControl,
  advance,
  onCall = () => undefined,
  ...options
}: PlatformServerOptions): Promise<PlatformServer> {
  const platform = createPlatform(options);
  const createApp = () => createPlatformApp(platform, { furtherControl, advance });
  let app = createApp();
  const answer: Answer = async (request, bindings) => {
    const [host, origin] = ['host', 'origin'].map((name) => request.headers.get(name) ?? undefined);
    const refusal = hostRefusalOf({ host, origin }, answersContainers);
    if (refusal !== undefined) return Response.json(toErrorBody(403, refusal, platform.newId()), { status: 403 });
    const page = request.method === 'GET' ? pageOf(new URL(request.url).pathname) : undefined;
    if (page !== undefined) return new Response(page.body, { headers: page.headers });
    await onCall(request);
    return app.fetch(request, bindings);
  };
  const [server, serverOfIpv6] = [createPlatformServer(answer, platform), createPlatformServer(answer, platform)];
  await listenOn(server, wanted);
  const port = portOf(server);
  const close = async () => {
    platform.close();
    await Promise.all([server, serverOfIpv6].map(closeImmediately));
  };
  try {
    await listenOn(serverOfIpv6, port, '::1');
  } catch (error) {
    // Without IPv6, localhost is only 127.0.0.1.
    if (wanted !== 0 && error instanceof SandboxError && error.code === 'PORT_TAKEN') {
      await close();
      throw error;
    }
  }
  const adopt: Platform['adopt'] = (...adopted) => {
    platform.adopt(...adopted);
    app = createApp();
  };
  return { platform, port, adopt, origin: `http://127.0.0.1:${port}`, close };
}

/** Answers with an error body even where Node would answer without one. */
function createPlatformServer(answer: Answer, { newId, onError }: Platform): Server {
  const listener = getRequestListener(answer, {
    errorHandler: (error) => {
      if (error instanceof Error && error.name === 'RequestError')
        return Response.json(toErrorBody(400, `${error.message}.`, newId()), { status: 400 });
      onError(error);
      return Response.json(toErrorBody(500, 'The sandbox failed. Read its log.', newId()), { status: 500 });
    },
  });
  const server = createServer({ requireHostHeader: false }, listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_, socket) => refuseConnection(socket, 400, newId()));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseConnection(socket, statusOf(error.code), newId()),
  );
  return server;
}

function statusOf(code = ''): number {
  if (code === 'HPE_HEADER_OVERFLOW') return 431;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** Answers input that is not HTTP, for which there is no request. */
function refuseConnection(socket: Duplex, status: number, requestId: string): void {
  if (!socket.writable) return;
  const body = JSON.stringify(toErrorBody(status, 'The platform cannot read this request.', requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
