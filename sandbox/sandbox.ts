import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { eventTypes } from '#shared/platform/event-type.ts';
import { createHostControl } from './aws/control.ts';
import { type Host, type HostOptions, startHost } from './aws/host.ts';
import { listen } from './aws/server.ts';
import { synthesize } from './aws/stacks/synthesize.ts';
import { describeEndpoints, type Endpoints } from './endpoints.ts';
import { createPlatformApp } from './platform/app.ts';
import { createDeliveries, type Deliveries } from './platform/deliveries.ts';
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
  readonly deliveries: Deliveries;
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

  const deliveries = createDeliveries({
    fetch,
    now: () => new Date(),
    newId: randomUUID,
    eventTypes: [...eventTypes, ...newEventTypes],
  });
  const app = createPlatformApp({ deliveries, newId: randomUUID }).route('/control', createHostControl(host.schedules));
  const platform = await listen(getRequestListener(app.fetch));
  const webhookHeaders = await readWebhookHeaders(host);
  const endpoints = describeEndpoints({ host, platform: platform.origin, webhookHeaders });
  onStep('Registering a webhook for each event type');
  await registerWebhooks(endpoints, deliveries);

  const endpointsFile = join(directory, 'endpoints.json');
  writeFileSync(endpointsFile, `${JSON.stringify(endpoints, undefined, 2)}\n`, { mode: 0o600 });
  const close = async () => {
    rmSync(endpointsFile, { force: true });
    await platform.close();
    await host.close();
    await new Promise<void>((resolve) => log.end(resolve));
  };
  return { host, deliveries, endpoints, endpointsFile, logFile, close };
}

/** Registers as a partner does, over HTTP: each event type at a URL of its own, since a body names no type. */
async function registerWebhooks({ platform, webhooks }: Endpoints, deliveries: Deliveries): Promise<void> {
  const headers = Object.entries(webhooks.headers).map(([name, value]) => ({ name, value }));
  for (const { eventType } of deliveries.missing()) {
    const answer = await fetch(`${platform}/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eventType, url: `${webhooks.url}/${eventType}`, headers }),
    });
    if (!answer.ok) throw new Error(`The platform refused to register ${eventType}: ${await answer.text()}`);
  }
}
