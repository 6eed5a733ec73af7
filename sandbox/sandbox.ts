import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { fetchToken } from '#shared/platform/token.ts';
import { createHostControl } from './aws/control.ts';
import { type Host, type HostOptions, startHost } from './aws/host.ts';
import { synthesize } from './aws/stacks/synthesize.ts';
import { describeEndpoints, type Endpoints } from './endpoints.ts';
import { startPlatformServer } from './platform/http/serve.ts';
import { defaultCredentials, type Platform } from './platform/platform.ts';
import { readWebhookHeaders } from './webhook-headers.ts';

export type SandboxOptions = Omit<HostOptions, 'assembly' | 'onLog'> & {
  /** The repository: where cdk.json is. */
  readonly root: string;
  /** Where the sandbox keeps what it writes. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Event types that the platform knows beyond the specification. */
  readonly newEventTypes?: readonly string[];
  readonly onStep?: (step: string) => void;
};

/** All of Drawbridge on one machine: the stacks, and the platform that they talk to. */
export type Sandbox = {
  readonly host: Host;
  readonly platform: Platform;
  readonly endpoints: Endpoints;
  /** Where `endpoints` is written, for tools. */
  readonly endpointsFile: string;
  /** Where all that the functions wrote is. */
  readonly logFile: string;
  readonly close: () => Promise<void>;
};

/**
 * Synthesizes the stacks, hosts them, and starts a platform with a webhook registered for each of its event types.
 *
 * @throws {SynthesisError} or {HostingError}
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { root, directory, environment, newEventTypes = [], onStep = () => undefined, ...hostOptions } = options;
  const assembly = join(directory, 'cdk.out');
  mkdirSync(directory, { recursive: true });
  rmSync(assembly, { recursive: true, force: true });
  onStep('Synthesizing the stacks that cdk deploy would deploy');
  await synthesize({ root, outputDirectory: assembly, environment });

  onStep('Hosting them');
  const logFile = join(directory, 'functions.log');
  const log = createWriteStream(logFile);
  const onLog = (functionName: string, line: string) => log.write(`${functionName} ${line}\n`);
  const host = await startHost({ ...hostOptions, assembly, onLog });

  const { platform, ...server } = await startPlatformServer({
    newEventTypes,
    fetch,
    now: () => new Date(),
    onError: (error) => log.write(`platform ${inspect(error)}\n`),
    furtherControl: createHostControl(host.schedules),
  });
  const webhookHeaders = await readWebhookHeaders(host);
  const endpoints = describeEndpoints({ host, platform: server.origin, webhookHeaders });
  onStep('Registering a webhook for each event type');
  await registerWebhooks(endpoints, platform);

  const endpointsFile = join(directory, 'endpoints.json');
  writeFileSync(endpointsFile, `${JSON.stringify(endpoints, undefined, 2)}\n`, { mode: 0o600 });
  const close = async () => {
    rmSync(endpointsFile, { force: true });
    await server.close();
    await host.close();
    await new Promise<void>((resolve) => log.end(resolve));
  };
  return { host, platform, endpoints, endpointsFile, logFile, close };
}

/** Registers as a partner does, over HTTP: each event type at a URL of its own, since a body names no type. */
async function registerWebhooks(endpoints: Endpoints, { profile, registrations }: Platform): Promise<void> {
  const headers = Object.entries(endpoints.webhooks.headers).map(([name, value]) => ({ name, value }));
  const { accessToken } = await fetchToken({
    authUrl: endpoints.platform,
    ...defaultCredentials,
    profile,
    fetch,
    now: () => new Date(),
    timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
  });
  for (const { eventType } of registrations.missing()) {
    const answer = await fetch(`${endpoints.platform}${profile.webhookPaths.webhooks}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ eventType, url: `${endpoints.webhooks.url}/${eventType}`, headers }),
    });
    if (!answer.ok) throw new Error(`The platform refused to register ${eventType}: ${await answer.text()}`);
  }
}
