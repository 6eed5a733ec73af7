import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { SandboxError } from '#sandbox/errors.ts';
import { hostRefusalOf } from './request-guard.ts';

/** A server that listens on a port of the loopback interface. */
export type Listening = {
  readonly origin: string;
  /** Closes the server immediately, with its open connections. */
  readonly close: () => Promise<void>;
};

/**
 * How long an idle connection stays open, in milliseconds. With Node's default of 5 seconds, a busy machine can send a
 * request at the moment at which its connection closes.
 */
const keepAliveTimeout = 60_000;

/**
 * Starts a server on the loopback interface, by default on a free port. It refuses the pages of other servers.
 *
 * @param answersContainers whether it answers at the name by which containers call this machine
 * @throws {SandboxError} PORT_TAKEN
 */
export async function listen(listener: RequestListener, port = 0, answersContainers = false): Promise<Listening> {
  const server = createServer((request, response) => {
    const refusal = hostRefusalOf(request.headers, answersContainers);
    if (refusal === undefined) listener(request, response);
    else response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ message: refusal }));
  });
  await listenOn(server, port);
  return { origin: `http://127.0.0.1:${portOf(server)}`, close: () => closeImmediately(server) };
}

/** @param address the address of the loopback interface, by default that of IPv4. @throws {SandboxError} PORT_TAKEN */
export function listenOn(server: Server, port: number, address = '127.0.0.1'): Promise<void> {
  server.keepAliveTimeout = keepAliveTimeout;
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const isTaken = 'code' in cause && cause.code === 'EADDRINUSE';
      reject(
        isTaken ? new SandboxError('PORT_TAKEN', `Port ${port} is in use. Choose another port.`, { cause }) : cause,
      );
    });
    server.listen(port, address, resolve);
  });
}

export function closeImmediately(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

export function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port.');
  return address.port;
}

/** Reads the whole body of a request. @throws if the client disconnects before the end of the body */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The headers as one text each. */
export function singleHeaders(headers: IncomingHttpHeaders | OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** The timeout of the check, for a server that listens on the port and does not answer. */
const portCheckTimeoutMs = 1_000;

/**
 * Checks that fetch and browsers call a port: https://fetch.spec.whatwg.org/#port-blocking. The runtime exports no list of blocked
 * ports, but its fetch fails for them before it connects.
 *
 * @throws {SandboxError} BLOCKED_PORT
 */
export async function requireCallablePort(port: number): Promise<void> {
  const init = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(portCheckTimeoutMs) } as const;
  const failure: unknown = await fetch(`http://127.0.0.1:${port}/`, init).catch((error: unknown) => error);
  if (failure instanceof Error && failure.cause instanceof Error && failure.cause.message === 'bad port')
    throw new SandboxError(
      'BLOCKED_PORT',
      `Port ${port} is blocked: fetch and browsers refuse to call it. Choose another, such as 4010 or 8080.`,
    );
}
