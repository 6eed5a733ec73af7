import { inspect } from 'node:util';
import { BlockedPortError, requireCallablePort } from '#sandbox/net/blocked-port.ts';
import { PortTakenError } from '#sandbox/net/server.ts';
import type { Credentials } from '#sandbox/platform/access/tokens.ts';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { exampleCommands } from '#sandbox/platform/example-commands.ts';
import { interruptedCode, interruption } from '#sandbox/terminal/command-line.ts';

export type RunPlatformOptions = {
  readonly port: number;
  /** Whether containers may call the platform. */
  readonly answersContainers: boolean;
  readonly seed: number;
  /** The time at which the clock stands; it runs where there is none. */
  readonly frozenAt?: Date | undefined;
  readonly credentials: Credentials;
  readonly newEventTypes: readonly string[];
};

function printAddresses({ profile, clock }: Platform, port: number, credentials: Credentials): void {
  const origin = `http://localhost:${port}`;
  const { token, webhookPaths } = profile;
  const lines = exampleCommands({ origin, tokenPath: token.path, webhooksPath: webhookPaths.webhooks, credentials });
  process.stdout.write(
    [
      '',
      `  {base_url}  ${origin}`,
      `  {auth_url}  ${origin}, token at ${token.path}, client_id ${credentials.clientId}`,
      `  reference   ${origin}/docs`,
      `  OpenAPI     ${origin}/openapi.json`,
      `  control     ${origin}/control, OpenAPI at ${origin}/control/openapi.json`,
      `  clock       ${clock.isFrozen() ? `frozen at ${clock.now().toISOString()}` : 'running'}`,
      '',
      'To get a token, register a webhook, and make the platform send a notification, run:',
      '',
      ...lines.map((line) => `  ${line}`),
      '',
      'For more, see sandbox/platform/README.md. To end the platform, press Ctrl-C.',
      '',
    ].join('\n'),
  );
}

/** Runs the platform until Ctrl-C. @returns the exit code */
export async function runPlatform({ port: wanted, ...options }: RunPlatformOptions): Promise<number> {
  await requireCallablePort(wanted);
  const interrupted = interruption();
  const { platform, port, close } = await startPlatformServer({
    ...options,
    port: wanted,
    fetch,
    now: () => new Date(),
    onError: (error) => process.stderr.write(`${inspect(error)}\n`),
  });
  printAddresses(platform, port, options.credentials);
  await interrupted;
  await close();
  return interruptedCode;
}

/** The message of an error that says what to do, so that no stack trace is needed. */
export function expectedMessage(error: unknown): string | undefined {
  return error instanceof PortTakenError || error instanceof BlockedPortError ? error.message : undefined;
}
