import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that listens on a port of the loopback interface. */
export type Listening = {
  readonly origin: string;
  /** Ends it at once, with the connections that are open. */
  readonly close: () => Promise<void>;
};

/** Somebody else listens on this port of this machine. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';

  constructor(port: number, cause: unknown) {
    super(`Port ${port} is taken: choose another.`, { cause });
  }
}

/**
 * In milliseconds: how long an idle connection stays open. After Node's 5 seconds a busy machine sends a request at the
 * very moment at which its connection ends, and sees it break.
 */
const keepAliveTimeout = 60_000;

/**
 * Starts a server on the loopback interface; on a free port unless one is given.
 *
 * @throws {PortTakenError}
 */
export async function listen(listener: RequestListener, port = 0): Promise<Listening> {
  const server = createServer({ keepAliveTimeout }, listener);
  await listenOn(server, port);
  return { origin: `http://127.0.0.1:${portOf(server)}`, close: () => closeAtOnce(server) };
}

/** @param address of the loopback interface: that of IPv4 unless given. @throws {PortTakenError} */
export function listenOn(server: Server, port: number, address = '127.0.0.1'): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const isTaken = 'code' in cause && cause.code === 'EADDRINUSE';
      reject(isTaken ? new PortTakenError(port, cause) : cause);
    });
    server.listen(port, address, resolve);
  });
}

export function closeAtOnce(server: Server): Promise<void> {
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

/** The whole body of a request, byte for byte. @throws when the client goes away before it has sent it all */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
