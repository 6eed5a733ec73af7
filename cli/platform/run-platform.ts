import { basename, dirname } from 'node:path';
import { inspect } from 'node:util';
import { docsPage } from '#cli/command/docs-page.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { requireCallablePort } from '#sandbox/net/server.ts';
import type { Credentials } from '#sandbox/platform/access/tokens.ts';
import type { Platform, PlatformOptions } from '#sandbox/platform/app/platform.ts';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { exampleCommands } from '#sandbox/platform/example-commands.ts';
import { interruptedCode, interruption } from '#sandbox/terminal/command-line.ts';

export type RunPlatformOptions = {
  readonly port: number;
  /** Whether containers may call the platform. */
  readonly answersContainers: boolean;
  readonly seed: number;
  /** The time at which the clock stands; it runs unless given. */
  readonly frozenAt?: Date | undefined;
  readonly credentials: Credentials;
  readonly newEventTypes: readonly string[];
  /** A settings file: this process stands in for its platform. */
  readonly settingsFile?: string | undefined;
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
      `For more, see ${docsPage('sandbox/platform/README.md')}. To end the platform, press Ctrl-C.`,
      '',
    ].join('\n'),
  );
}

/** What a settings file says of its platform, as `npm start` reads it. @throws {SettingsError} */
function readPlatform(file: string): Pick<PlatformOptions, 'profile' | 'settings'> {
  const environment = basename(file, '.json');
  const { platformProfile: profile, onboarding } = checkSettings(
    environment,
    readSettingsFile(dirname(file), environment),
  );
  const { externalVerifier } = onboarding ?? {};
  return {
    ...(profile !== undefined && { profile }),
    ...(externalVerifier !== undefined && { settings: { externalVerifier } }),
  };
}

/** Runs the platform until Ctrl-C. @returns the exit code */
export async function runPlatform({ port: wanted, settingsFile, ...options }: RunPlatformOptions): Promise<number> {
  const ofFile = settingsFile === undefined ? {} : readPlatform(settingsFile);
  await requireCallablePort(wanted);
  const interrupted = interruption();
  const { platform, port, close } = await startPlatformServer({
    ...options,
    ...ofFile,
    port: wanted,
    fetch,
    now: () => new Date(),
    onError: (error) => process.stderr.write(`${inspect(error)}\n`),
    onWarning: (warning) => process.stderr.write(`WARNING: ${warning}\n`),
  });
  printAddresses(platform, port, options.credentials);
  await interrupted;
  await close();
  return interruptedCode;
}
