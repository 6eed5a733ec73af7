import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SandboxError } from '#sandbox/errors.ts';
import { plainIssues } from '#shared/plain-message.ts';

/** A stack as it was synthesized. */
export type SynthesizedStack = {
  readonly name: string;
  readonly template: Template;
  /** Where the files of an asset are, by the hash that names it in S3. */
  readonly assets: ReadonlyMap<string, string>;
};

const resource = z.strictObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.looseObject({ 'aws:cdk:path': z.string().optional() }).default({}),
  // What these say holds on the laptop too: all is created in an order that works, and all goes when it ends.
  DependsOn: z.unknown().optional(),
  DeletionPolicy: z.unknown().optional(),
  UpdateReplacePolicy: z.unknown().optional(),
  // Only types have one that the laptop refuses, such as an alias of a function.
  UpdatePolicy: z.unknown().optional(),
});

const template = z.strictObject({
  Description: z.string().optional(),
  Resources: z.record(z.string(), resource),
  Outputs: z
    .record(
      z.string(),
      z.looseObject({
        Value: z.unknown(),
        Description: z.string().optional(),
        Export: z.object({ Name: z.unknown() }).optional(),
      }),
    )
    .default({}),
  // The version of the CDK bootstrap: of no meaning on the laptop.
  Parameters: z.strictObject({ BootstrapVersion: z.unknown() }).optional(),
  // The laptop has no account and no region that could be the wrong ones.
  Rules: z
    .strictObject({ CheckBootstrapVersion: z.unknown(), PinnedAccount: z.unknown(), PinnedRegion: z.unknown() })
    .partial()
    .optional(),
});

export type Template = z.infer<typeof template>;
export type Resource = z.infer<typeof resource>;

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      dependencies: z.array(z.string()).default([]),
      properties: z.looseObject({ templateFile: z.string().optional() }).default({}),
    }),
  ),
});

const assetManifest = z.object({
  files: z.record(z.string(), z.object({ source: z.looseObject({ path: z.string().optional() }) })).default({}),
});

/**
 * Reads what `cdk synth` wrote: the stacks, each after those it depends on.
 *
 * @throws {SandboxError} NOT_HOSTED when a part of it is unknown to the sandbox
 */
export function readCloudAssembly(directory: string): readonly SynthesizedStack[] {
  const { artifacts } = read(join(directory, 'manifest.json'), manifest);
  const names = Object.keys(artifacts).filter((name) => artifacts[name]?.type === 'aws:cloudformation:stack');
  const ordered: string[] = [];
  const visit = (name: string) => {
    if (!names.includes(name) || ordered.includes(name)) return;
    for (const dependency of artifacts[name]?.dependencies ?? []) visit(dependency);
    ordered.push(name);
  };
  for (const name of names) visit(name);
  return ordered.map((name) => ({
    name,
    template: read(join(directory, artifacts[name]?.properties.templateFile ?? `${name}.template.json`), template),
    assets: readAssets(directory, name),
  }));
}

function readAssets(directory: string, stackName: string): ReadonlyMap<string, string> {
  const { files } = read(join(directory, `${stackName}.assets.json`), assetManifest);
  return new Map(Object.entries(files).map(([hash, file]) => [hash, join(directory, file.source.path ?? '')]));
}

function read<Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const result = schema.safeParse(content);
  if (result.success) return result.data;
  throw new SandboxError(
    'NOT_HOSTED',
    `The sandbox does not know all of ${file}:\n  ${plainIssues(result.error.issues, content).join('\n  ')}`,
  );
}
