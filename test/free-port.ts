import { createServer } from 'node:http';
import { closeImmediately, listenOn, portOf } from '#sandbox/net/server.ts';

/** Finds a free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await listenOn(server, 0);
  const port = portOf(server);
  await closeImmediately(server);
  return port;
}
