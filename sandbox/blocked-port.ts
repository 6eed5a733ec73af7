/** The port is one that fetch, as browsers, refuses to call: https://fetch.spec.whatwg.org/#port-blocking */
export class BlockedPortError extends Error {
  override readonly name = 'BlockedPortError';

  constructor(port: number) {
    super(`Port ${port} is blocked: fetch and browsers refuse to call it. Choose another, such as 4010 or 8080.`);
  }
}

/** In milliseconds: a server that listens on the port and does not answer holds the check up no longer than this. */
const timeoutMs = 1_000;

/**
 * Checks that fetch calls a port. The runtime answers this itself, since it exports no list: for a blocked port its fetch
 * fails before it connects, for any other port afterwards or not at all.
 *
 * @throws {BlockedPortError}
 */
export async function requireCallablePort(port: number): Promise<void> {
  const init = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
  const failure: unknown = await fetch(`http://127.0.0.1:${port}/`, init).catch((error: unknown) => error);
  if (failure instanceof Error && failure.cause instanceof Error && failure.cause.message === 'bad port')
    throw new BlockedPortError(port);
}
