import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

export type AwsRequest = { readonly headers: IncomingHttpHeaders; readonly input: unknown; readonly port: number };

/** What the server does with a request: an answer, no answer at all, or a closed connection. */
export type AwsReply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string }
  // As SQS answers SendMessage. The SDK compares the digest with that of the message.
  | 'sent'
  | 'hang'
  | 'close'
  // Both answer with half a body first.
  | 'hang within the body'
  | 'close within the body';

const sendMessage = z.object({ MessageBody: z.string() });

/** A server that answers by a function, and keeps what it was asked. */
export async function startAwsServer() {
  const requests: AwsRequest[] = [];
  let reply: (attempt: number, target: string) => AwsReply = () => ({ body: '{}' });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const input: unknown = JSON.parse(Buffer.concat(chunks).toString());
    requests.push({
      headers: request.headers,
      input,
      port: request.socket.remotePort ?? 0,
    });
    const answer = reply(requests.length, String(request.headers['x-amz-target']));
    if (answer === 'hang') return;
    if (answer === 'sent') {
      const MD5OfMessageBody = createHash('md5').update(sendMessage.parse(input).MessageBody).digest('hex');
      response.end(JSON.stringify({ MessageId: 'm', MD5OfMessageBody }));
      return;
    }
    if (answer === 'close') {
      request.socket.destroy();
      return;
    }
    if (answer === 'hang within the body' || answer === 'close within the body') {
      const half = response.writeHead(200, { 'content-length': '100' });
      half.write('{"MessageId":', () => answer === 'close within the body' && request.socket.destroy());
      return;
    }
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    replyWith: (replies: (attempt: number, target: string) => AwsReply) => {
      requests.length = 0;
      reply = replies;
    },
    closeConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
