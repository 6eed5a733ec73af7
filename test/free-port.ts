import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { SandboxError } from '#sandbox/errors.ts';
import { closeImmediately, listenOn } from '#sandbox/net/server.ts';

/** Finds a free port below those that the system gives to connections: none of these takes the port before the test does. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer();
    try {
      await listenOn(server, port);
      await closeImmediately(server);
      return port;
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'PORT_TAKEN')) throw error;
    }
  }
}
