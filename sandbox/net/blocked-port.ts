import { SandboxError } from '#sandbox/errors.ts';

/** The timeout of the check, for a server that listens on the port and does not answer. */
const timeoutMs = 1_000;

/**
 * Checks that fetch and browsers call a port: https://fetch.spec.whatwg.org/#port-blocking. The runtime exports no list of blocked
 * ports, but its fetch fails for them before it connects.
 *
 * @throws {SandboxError} BLOCKED_PORT
 */
export async function requireCallablePort(port: number): Promise<void> {
  const init = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const;
  const failure: unknown = await fetch(`http://127.0.0.1:${port}/`, init).catch((error: unknown) => error);
  if (failure instanceof Error && failure.cause instanceof Error && failure.cause.message === 'bad port')
    throw new SandboxError(
      'BLOCKED_PORT',
      `Port ${port} is blocked: fetch and browsers refuse to call it. Choose another, such as 4010 or 8080.`,
    );
}
