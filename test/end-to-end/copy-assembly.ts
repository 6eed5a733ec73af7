import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import * as z from 'zod';
import type { SynthesizeProps } from '#sandbox/aws/stacks/synthesize.ts';

const address = z.strictObject({ baseUrl: z.string(), authUrl: z.string() });

/** The settings that a test changes. Strict, so that a copy never ignores one. */
const changedSettings = z.strictObject({
  platform: address.optional(),
  platformProfile: z.unknown().optional(),
  onboarding: z.looseObject({ requestor: z.string().optional() }).optional(),
  webhookSources: z.unknown().optional(),
  // The environment of cdk.json sets none of these.
  leaveOut: z.unknown().optional(),
});

const cdkJson = z.object({
  context: z.object({ environment: z.string(), environments: z.record(z.string(), z.object({ platform: address })) }),
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
 * Copies the synthesized stacks of cdk.json with other settings. A synthesis takes seconds of CPU time, mostly for bundles
 * that no setting changes. `npm start` synthesizes, and its test proves that.
 */
export async function copyAssembly({ root, outputDirectory, context }: Omit<SynthesizeProps, 'environment'>) {
  const settings = changedSettings.parse(context ?? {});
  const assembly = inject('assembly');
  mkdirSync(outputDirectory, { recursive: true });
  // A copy links to the bundles, so that all copies share what Node has compiled of them.
  for (const name of readdirSync(assembly))
    if (name.startsWith('asset.')) symlinkSync(join(assembly, name), join(outputDirectory, name));
    else if (name.endsWith('.json') || name === 'cdk.out') cpSync(join(assembly, name), join(outputDirectory, name));
  const { environment, environments } = cdkJson.parse(JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))).context;
  const declared = address.parse(environments[environment]?.platform);
  const variables = variablesOf(settings);
  for (const file of globSync(join(outputDirectory, '*.template.json'))) {
    const text = readFileSync(file, 'utf8')
      .replaceAll(declared.baseUrl, settings.platform?.baseUrl ?? declared.baseUrl)
      .replaceAll(declared.authUrl, settings.platform?.authUrl ?? declared.authUrl);
    const { Resources, ...others } = template.parse(JSON.parse(text));
    for (const { Type, Properties } of Object.values(Resources))
      if (Type === 'AWS::Lambda::Function') Object.assign(Properties?.Environment?.Variables ?? {}, variables);
    writeFileSync(file, JSON.stringify({ ...others, Resources }));
  }
}

/** Every function gets all of them, and reads those that it knows. */
function variablesOf({ platformProfile, onboarding, webhookSources }: z.infer<typeof changedSettings>) {
  return {
    ...(platformProfile !== undefined && { PLATFORM_PROFILE: JSON.stringify(platformProfile) }),
    ...(onboarding !== undefined && { ONBOARDING_SETTINGS: JSON.stringify(onboarding) }),
    ...(onboarding?.requestor !== undefined && { REQUESTOR: onboarding.requestor }),
    ...(webhookSources !== undefined && { SOURCE_RANGES: JSON.stringify(webhookSources) }),
  };
}
