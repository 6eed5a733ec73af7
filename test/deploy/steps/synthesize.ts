import { adaptAssembly } from '#test/deploy/assembly/adapt-assembly.ts';
import { assembliesOf, type Deployment } from '#test/deploy/deployment.ts';

/** Synthesizes the stacks for this run's platform, and adapts them to the emulator. */
export async function synthesize({ cdk, platform, environment, directory }: Deployment): Promise<string> {
  const { synthesized, adapted } = assembliesOf({ directory });
  const { origin } = platform;
  await cdk.synth(synthesized, { environment, platform: JSON.stringify({ baseUrl: origin, authUrl: origin }) });
  const applied = adaptAssembly(synthesized, adapted);
  return [
    'changed for the emulator:',
    ...applied.map(({ what, ids, emulator, reason }) => `- ${what} (${ids.join(', ')}): ${emulator}. ${reason}`),
  ].join('\n');
}
