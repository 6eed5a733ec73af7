import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpRequest } from '@smithy/core/transport';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { PlatformFetch } from './platform/fetch.ts';

const decompress = promisify(gunzip);

/**
 * Calls over the HTTP of Node's own `http`, by what the SDK brings along for it. Connections are kept alive. Not Node's
 * `fetch`: an answer that cannot be decompressed, or is read late, may end the whole process there (nodejs/undici#5360).
 *
 * @returns a function that throws the error of the connection, or the reason of the signal
 */
export function createPlatformFetch(): PlatformFetch {
  const handler = new NodeHttpHandler();
  return async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const { promise: end, reject } = Promise.withResolvers<never>();
    // By itself the handler would wait forever for an answer that changes the protocol.
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    const { protocol, hostname, port, pathname, search } = new URL(url);
    const request = new HttpRequest({
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: `${pathname}${search}`,
      method,
      headers: { 'accept-encoding': 'gzip', ...headers },
      body,
    });
    const { response } = await Promise.race([handler.handle(request, { abortSignal: signal }), end]);
    const { statusCode: status, headers: received } = response;
    const read = async () => decode(await buffer(response.body), received['content-encoding']);
    return {
      status,
      headers: { get: (name) => received[name.toLowerCase()] ?? null },
      bytes: () => Promise.race([read(), end]),
    };
  };
}

async function decode(bytes: Uint8Array, coding: string | undefined): Promise<Uint8Array> {
  // Not Modified, and whatever else has no body, may name the coding that it would have.
  if (coding === undefined || coding === 'identity' || bytes.length === 0) return bytes;
  if (coding !== 'gzip') throw new Error('The answer has a content coding that was not asked for.');
  return decompress(bytes);
}
