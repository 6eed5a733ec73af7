import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';

/** A call as it came over the socket. */
export type Received = {
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export type Respond = (request: Received, response: ServerResponse) => unknown;

/** A platform that answers as a test says, over a real socket, and remembers what it was asked. */
export type PlatformServer = {
  readonly baseUrl: string;
  readonly requests: readonly Received[];
  /** From now on; forgets the requests that came before. */
  readonly answerWith: (respond: Respond) => void;
  readonly closeIdleConnections: () => void;
  readonly close: () => Promise<void>;
};

export async function startPlatformServer(): Promise<PlatformServer> {
  let respond: Respond = json(200, {});
  let requests: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    // A client that gives up breaks the connection: that is no failure of a test.
    response.on('error', () => undefined);
    try {
      for await (const chunk of incoming) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = '', url = '', headers } = incoming;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(received);
    await respond(received, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    answerWith: (next) => {
      respond = next;
      requests = [];
    },
    closeIdleConnections: () => server.closeIdleConnections(),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A platform for the tests of a file, which runs from before the first of them until after the last. */
export function platformOfFile(): Omit<PlatformServer, 'close'> {
  let server: PlatformServer | undefined;
  beforeAll(async () => {
    server = await startPlatformServer();
  });
  afterAll(() => server?.close());
  const started = () => server ?? expect.unreachable('The server starts before the first test.');
  return {
    get baseUrl() {
      return started().baseUrl;
    },
    get requests() {
      return started().requests;
    },
    answerWith: (respond) => started().answerWith(respond),
    closeIdleConnections: () => started().closeIdleConnections(),
  };
}

/** Answers every request with this JSON. */
export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Respond {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with a status and no body. */
export function empty(status: number, headers: Readonly<Record<string, string>> = {}): Respond {
  return (_, response) => {
    response.writeHead(status, headers);
    response.end();
  };
}

/** Takes the call, and breaks the connection in place of an answer. */
export const destroy: Respond = (_, response) => {
  response.destroy();
};

/** Answers the first call with the first, and so on; those after the last with the last. */
export function inTurn(...responds: readonly [Respond, ...Respond[]]): Respond {
  let count = 0;
  return (request, response) => {
    const respond = responds[Math.min(count, responds.length - 1)];
    count += 1;
    return respond?.(request, response);
  };
}
