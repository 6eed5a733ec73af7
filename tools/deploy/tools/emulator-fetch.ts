import { request } from 'node:https';
import { buffer } from 'node:stream/consumers';

/** The server of the platform replaces these classes of the process by its own, which lack methods. */
const { Request: NodeRequest, Response: NodeResponse } = globalThis;

export type EmulatorFetchOptions = {
  readonly port: number;
  readonly certificate: () => string;
};

/**
 * A `fetch` for the hosts of the emulator. An API of API Gateway is at `<id>.execute-api.localhost`, which not every
 * machine resolves and which the certificate does not name: the request goes to this machine and keeps its host header.
 */
export function createEmulatorFetch({ port, certificate }: EmulatorFetchOptions): typeof fetch {
  return async (input, init) => {
    const asked = new NodeRequest(input, init);
    const url = new URL(asked.url);
    const body = Buffer.from(await asked.arrayBuffer());
    const sent = request({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      ca: certificate(),
      method: asked.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...Object.fromEntries(asked.headers), host: url.host, 'content-length': String(body.byteLength) },
      agent: false,
      signal: asked.signal,
    });
    return new Promise((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (answer) => {
        const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
          value === undefined ? [] : [[name, String(value)]],
        );
        buffer(answer).then((content) => {
          const { statusCode: status = 500 } = answer;
          const isEmpty = status === 204 || status === 304;
          resolve(new NodeResponse(isEmpty ? null : content, { status, headers }));
        }, reject);
      });
      sent.end(body);
    });
  };
}
