import { HttpRequest } from '@smithy/core/transport';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { collect, decode, maxAnswerBytes, type PlatformFetch, raceAbort } from '#shared/platform/client/http.ts';
import { version } from '#shared/version.ts';

/** As Node's `fetch` has it. A function that thaws would find a connection stale that was kept for longer. */
const maxIdleMs = 4_000;

/**
 * Calls over the HTTP of Node's own `http`, by what the SDK brings along for it. Not Node's `fetch`: an answer that cannot be
 * decompressed, or is read late, may end the whole process there (nodejs/undici#5360).
 *
 * @param idle in milliseconds: connections are kept alive, and closed once they were idle for so long
 * @param maxBytes of a body, as it comes and as it was before it was compressed
 * @returns a function that throws the error of the connection, or the reason of the signal
 */
export function createPlatformFetch({
  idle = maxIdleMs,
  maxBytes = maxAnswerBytes,
}: {
  readonly idle?: number;
  readonly maxBytes?: number;
} = {}): PlatformFetch {
  const agent = { timeout: idle };
  const handler = new NodeHttpHandler({ httpAgent: agent, httpsAgent: agent });
  return async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const { protocol, hostname, port, pathname, search } = new URL(url);
    const request = new HttpRequest({
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: `${pathname}${search}`,
      method,
      // Firewalls turn away what does not say who it is.
      headers: { 'accept-encoding': 'gzip', 'user-agent': `drawbridge/${version}`, ...headers },
      body,
    });
    // By itself the handler waits forever for an answer that changes the protocol.
    const { response } = await raceAbort(signal, () => handler.handle(request, { abortSignal: signal }));
    const { statusCode: status, headers: received } = response;
    const read = async () => decode(await collect(response.body, maxBytes), received['content-encoding'], maxBytes);
    return {
      status,
      headers: { get: (name) => received[name.toLowerCase()] ?? null },
      bytes: () => raceAbort(signal, read),
    };
  };
}
