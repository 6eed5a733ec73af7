import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { copyAssembly } from './copy-assembly.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';
import { quickSteps } from './quick-steps.ts';

export type UnconfiguredStacks = {
  readonly server: PlatformServer;
  readonly stacks: HostedStacks;
  readonly close: () => Promise<void>;
};

export type UnconfiguredStacksOptions = {
  /** Is told of each call to the platform: `GET /webhooks`. */
  readonly onCall: (call: string) => void;
  readonly onAwsCall?: (moment: AwsCallMoment) => void;
};

/** Hosts the stacks by the clock of a platform, with pages of eight, as they are before their credentials. */
export async function startUnconfiguredStacks({
  onCall,
  ...options
}: UnconfiguredStacksOptions): Promise<UnconfiguredStacks> {
  const server = await startPlatformServer({
    fetch,
    now: () => new Date(),
    onError: (error) => {
      throw error;
    },
    settings: { ...quickSteps, acceptSelfBeforeActive: true },
    onCall: (request) => onCall(`${request.method} ${new URL(request.url).pathname}`),
  });
  const assembly = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const address = { baseUrl: server.origin, authUrl: server.origin };
  const context = { platform: address, platformProfile: { pageSize: 8 } };
  await copyAssembly(inject('assembly'), { outputDirectory: assembly, context });
  const stacks = await startHostedStacks({ assembly, redeliveryDelay: 1, now: server.platform.clock.now, ...options });
  return {
    server,
    stacks,
    close: async () => {
      await stacks.host.close();
      await server.close();
      rmSync(assembly, { recursive: true, force: true });
    },
  };
}
