import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { createApp } from '#infra/create-app.ts';
import { settings } from '#infra/settings.ts';

const template = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.optional(z.looseObject({})) })),
  Outputs: z._default(
    z.record(
      z.string(),
      z.looseObject({ Value: z.unknown(), Export: z.optional(z.looseObject({ Name: z.unknown() })) }),
    ),
    {},
  ),
});

/** A CloudFormation template, as far as an upgrade is judged by it. */
export type ReleaseTemplate = z.infer<typeof template>;

const stackNames = ['data', 'service'] as const;

/** The templates of both stacks. `cdk deploy` deploys the data stack first. */
export type ReleaseTemplates = Readonly<Record<(typeof stackNames)[number], ReleaseTemplate>>;

export type Release = {
  /** A semantic version, without a `v`. */
  readonly version: string;
  readonly templates: ReleaseTemplates;
};

/** Where the templates of all releases are: a folder for each version. */
const releasesDirectory = join(repositoryRoot, 'infra/releases');

/** The environment by which releases are compared: settings have their defaults. */
const environment = {
  name: 'release',
  settings: settings.parse({
    platform: { baseUrl: 'https://api.platform.test', authUrl: 'https://auth.platform.test' },
  }),
};

/** The templates of the code as it is now. @param outputDirectory where the app is synthesized, empty */
export function currentTemplates(outputDirectory: string): ReleaseTemplates {
  const { app, data, service } = createApp(environment, {
    outdir: outputDirectory,
    context: { 'aws:cdk:bundling-stacks': [] },
  });
  const assembly = app.synth();
  const templateOf = ({ artifactId }: { readonly artifactId: string }) =>
    template.parse(assembly.getStackArtifact(artifactId).template);
  return { data: templateOf(data), service: templateOf(service) };
}

/** The releases so far, oldest first. */
export function readReleases(): readonly Release[] {
  return readdirSync(releasesDirectory)
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((version) => {
      const read = (name: string) => template.parse(JSON.parse(readFileSync(pathOf(version, name), 'utf8')));
      return { version, templates: { data: read('data'), service: read('service') } };
    });
}

/** Keeps the templates of a release for all later upgrades to be compared with. */
export function writeRelease({ version, templates }: Release): void {
  mkdirSync(join(releasesDirectory, version), { recursive: true });
  for (const name of stackNames)
    writeFileSync(pathOf(version, name), `${JSON.stringify(withoutMetadata(templates[name]), undefined, 1)}\n`);
}

/** Whether the release has been kept already. */
export function hasRelease(version: string): boolean {
  return existsSync(join(releasesDirectory, version));
}

function pathOf(version: string, name: string): string {
  return join(releasesDirectory, version, `${name}.template.json`);
}

/** The CDK's own notes change with its version, and CloudFormation does nothing by them. */
function withoutMetadata({ Resources, ...rest }: ReleaseTemplate): ReleaseTemplate {
  const resources = Object.entries(Resources).map(([id, { Metadata: _, ...resource }]) => [id, resource] as const);
  return { ...rest, Resources: Object.fromEntries(resources) };
}
