import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { SynthesizeProps } from '#sandbox/aws/stacks/synthesize.ts';

const address = z.strictObject({ baseUrl: z.string(), authUrl: z.string() });

/** The settings that a test changes. Strict, so that a copy never ignores one. */
const changedSettings = z.strictObject({
  environment: z.literal('laptop').optional(),
  platform: address.optional(),
  platformProfile: z.unknown().optional(),
  onboarding: z.looseObject({ requestor: z.string().optional() }).optional(),
  webhookSources: z.unknown().optional(),
  formerWebhooksUrls: z.array(z.string()).optional(),
});

const template = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z
        .looseObject({ Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }).optional() })
        .optional(),
    }),
  ),
});

/**
 * Copies the synthesized stacks with other settings. A synthesis takes seconds of CPU time, mostly for bundles
 * that no setting changes. `npm start` synthesizes, and its test proves that.
 *
 * @param assembly where the stacks are synthesized
 */
export async function copyAssembly(
  assembly: string,
  { outputDirectory, context }: Pick<SynthesizeProps, 'outputDirectory' | 'context'>,
) {
  const settings = changedSettings.parse(context ?? {});
  mkdirSync(outputDirectory, { recursive: true });
  // A copy links to the bundles, so that all copies share what Node has compiled of them.
  for (const name of readdirSync(assembly))
    if (name.startsWith('asset.')) symlinkSync(join(assembly, name), join(outputDirectory, name));
    else if (name.endsWith('.json') || name === 'cdk.out') cpSync(join(assembly, name), join(outputDirectory, name));
  const variables = variablesOf(settings);
  for (const file of globSync(join(outputDirectory, '*.template.json'))) {
    const { Resources, ...others } = template.parse(JSON.parse(readFileSync(file, 'utf8')));
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === 'AWS::Lambda::Function') Object.assign(Properties?.Environment?.Variables ?? {}, variables);
    writeFileSync(file, JSON.stringify({ ...others, Resources }));
  }
}

/** Writes the folder of a CDK app whose stacks are synthesized already, for a process that would synthesize them. Returns the folder. */
export function createCopyingApp(folder: string, assembly: string): string {
  mkdirSync(folder, { recursive: true });
  const script = join(import.meta.dirname, 'copying-app.ts');
  writeFileSync(join(folder, 'cdk.json'), JSON.stringify({ app: `${process.execPath} ${script} ${assembly}` }));
  return folder;
}

/** By default reconcile makes five calls a second of real time, for which a test would only wait. */
const quickCalls = { CALLS_PER_SECOND: '1000' };

/** Every function gets all of them, and reads those that it knows. */
function variablesOf(settings: z.infer<typeof changedSettings>) {
  const { platform, platformProfile, onboarding, webhookSources, formerWebhooksUrls } = settings;
  return {
    ...quickCalls,
    ...(platform !== undefined && { PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_AUTH_URL: platform.authUrl }),
    ...(platformProfile !== undefined && { PLATFORM_PROFILE: JSON.stringify(platformProfile) }),
    ...(onboarding !== undefined && { ONBOARDING_SETTINGS: JSON.stringify(onboarding) }),
    ...(onboarding?.requestor !== undefined && { REQUESTOR: onboarding.requestor }),
    ...(webhookSources !== undefined && { SOURCE_RANGES: JSON.stringify(webhookSources) }),
    ...(formerWebhooksUrls !== undefined && { FORMER_WEBHOOKS_URLS: JSON.stringify(formerWebhooksUrls) }),
  };
}
