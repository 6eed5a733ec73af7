import { createApp } from '#infra/create-app.ts';
import { settings } from '#infra/settings.ts';
import { adaptAssembly } from '#tools/deploy/assembly/adapt-assembly.ts';
import { adaptFor } from '#tools/deploy/assembly/adaptations.ts';
import { assembliesOf, type DeployRun } from '#tools/deploy/deploy-run.ts';
import { everySetting } from '#tools/release/every-setting.ts';

/** Synthesizes the stacks for this run's platform, and adapts them if the target is the emulator. */
export async function synthesize({ cdk, environment, directory, target, context }: DeployRun): Promise<string> {
  const { synthesized, adapted } = assembliesOf({ directory });
  synthesizeEverySetting({ directory });
  await cdk.synth(synthesized, { environment, ...context });
  const applied = adaptAssembly(synthesized, adapted, adaptFor(target));
  if (applied.length === 0) return 'the templates are not changed';
  return [
    'changed for the emulator:',
    ...applied.map(({ what, ids, emulator, reason }) => `- ${what} (${ids.join(', ')}): ${emulator}. ${reason}`),
  ].join('\n');
}

/** Synthesizes what the default settings leave out, such as backups and a domain: the scanners read it too. */
function synthesizeEverySetting({ directory }: Pick<DeployRun, 'directory'>): void {
  const platform = { baseUrl: 'https://api.platform.test', authUrl: 'https://auth.platform.test' };
  const environment = { name: 'every-setting', settings: settings.parse({ platform, ...everySetting }) };
  // No scanner reads the bundles.
  const context = { 'aws:cdk:bundling-stacks': [] };
  createApp(environment, { outdir: assembliesOf({ directory }).everySetting, context }).app.synth();
}
