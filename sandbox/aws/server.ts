import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';

/** A server that listens on a port of the loopback interface. */
export type Listening = {
  readonly origin: string;
  /** Ends it at once, with the connections that are open. */
  readonly close: () => Promise<void>;
};

/**
 * Starts a server on the loopback interface; on a free port unless one is given.
 *
 * @throws {HostingError} when the port is taken
 */
export async function listen(listener: RequestListener, port = 0): Promise<Listening> {
  const server = createServer(listener);
  await listenOn(server, port);
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const isTaken = 'code' in cause && cause.code === 'EADDRINUSE';
      reject(isTaken ? new HostingError(`Port ${port} is taken: choose another, or none for a free one.`) : cause);
    });
    server.listen(port, '127.0.0.1', resolve);
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
