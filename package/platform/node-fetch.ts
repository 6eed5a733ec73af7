import * as http from 'node:http';
import * as https from 'node:https';
import { collect, decode, maxAnswerBytes, type PlatformFetch, raceAbort } from '#shared/platform/client/http.ts';
import { version } from '#shared/version.ts';

/** As Node's `fetch` has it. A function that thaws would find a connection stale that was kept for longer. */
const maxIdleMs = 4_000;

/**
 * Calls over Node's own `http` and `https`, with connections that are kept alive. Not Node's `fetch`: before undici 8 an answer that
 * breaks off could end the process (nodejs/undici#5360).
 *
 * @param maxBytes of a body, as it comes and as it was before it was compressed
 */
export function createNodeFetch({ maxBytes = maxAnswerBytes }: { readonly maxBytes?: number } = {}): PlatformFetch {
  const agents = {
    http: new http.Agent({ keepAlive: true, timeout: maxIdleMs }),
    https: new https.Agent({ keepAlive: true, timeout: maxIdleMs }),
  };
  return async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
    const options = {
      method,
      signal,
      // Firewalls turn away what does not say who it is.
      headers: { 'accept-encoding': 'gzip', 'user-agent': `drawbridge/${version}`, ...headers },
    };
    const request = url.startsWith('https:')
      ? https.request(url, { ...options, agent: agents.https }, resolve)
      : http.request(url, { ...options, agent: agents.http }, resolve);
    request.on('error', reject).end(body);
    const answer = await raceAbort(signal, () => promise);
    const read = async () => decode(await collect(answer, maxBytes), answer.headers['content-encoding'], maxBytes);
    return {
      status: answer.statusCode ?? 0,
      headers: { get: (name) => textOf(answer.headers[name.toLowerCase()]) },
      bytes: () => raceAbort(signal, read),
    };
  };
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'object' ? header.join(', ') : (header ?? null);
}
