import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export type AwsRequest = { readonly headers: IncomingHttpHeaders; readonly input: unknown; readonly port: number };

/** What the server does with a request: an answer, no answer at all, or a closed connection. */
export type AwsReply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang'
  | 'close'
  // Answers with half a body, and then hangs, or closes the connection.
  | 'hang within the body'
  | 'close within the body';

/** A server that answers by a function, and keeps what it was asked. */
export async function startAwsServer() {
  const requests: AwsRequest[] = [];
  let connections = 0;
  let reply: (attempt: number, target: string) => AwsReply = () => ({ body: '{}' });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({
      headers: request.headers,
      input: JSON.parse(Buffer.concat(chunks).toString()),
      port: request.socket.remotePort ?? 0,
    });
    const answer = reply(requests.length, String(request.headers['x-amz-target']));
    if (answer === 'hang') return;
    if (answer === 'close') {
      request.socket.destroy();
      return;
    }
    if (answer === 'hang within the body' || answer === 'close within the body') {
      response.writeHead(200, { 'content-length': '100' }).write('{"MessageId":');
      if (answer === 'close within the body') setImmediate(() => request.socket.destroy());
      return;
    }
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections,
    closeConnections: () => server.closeAllConnections(),
    replyWith: (replies: (attempt: number, target: string) => AwsReply) => {
      requests.length = 0;
      reply = replies;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
