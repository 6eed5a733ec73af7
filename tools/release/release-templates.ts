import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { createApp } from '#infra/create-app.ts';
import { settings } from '#infra/settings.ts';
import { compareVersions } from '#shared/version.ts';
import { everySetting } from './every-setting.ts';
import { isReleaseVersion } from './release-version.ts';

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.optional(z.looseObject({})),
  UpdateReplacePolicy: z.optional(z.string()),
  DeletionPolicy: z.optional(z.string()),
});
const output = z.looseObject({
  Value: z.unknown(),
  Export: z.optional(z.looseObject({ Name: z.unknown() })),
});
const template = z.looseObject({
  Resources: z.record(z.string(), resource),
  Outputs: z._default(z.record(z.string(), output), {}),
});

/** What of a template is not as with the default settings. */
const templateDifference = z.strictObject({
  Resources: z.record(z.string(), z.nullable(resource)),
  Outputs: z.record(z.string(), z.nullable(output)),
});
const differences = z.strictObject({ data: templateDifference, service: templateDifference });

/** A CloudFormation template, as far as an upgrade is judged by it. */
export type ReleaseTemplate = z.infer<typeof template>;

/** A resource of a template. */
export type ReleaseResource = z.infer<typeof resource>;

const stackNames = ['data', 'service'] as const;

/** The templates of both stacks. `cdk deploy` deploys the data stack first. */
export type ReleaseTemplates = Readonly<Record<(typeof stackNames)[number], ReleaseTemplate>>;

/** The templates of a release, by what its environment sets. */
export type TemplatesBySettings = {
  /** Complete, so that a test can deploy them. */
  readonly 'default settings': ReleaseTemplates;
  /** With resources that the defaults leave out, and without alarms and dashboard, which no upgrade is judged by. */
  readonly 'every setting': ReleaseTemplates;
};

export type Release = {
  /** A semantic version, without a `v`. */
  readonly version: string;
  readonly templates: TemplatesBySettings;
};

/** Where the templates of all releases are: a folder for each version. */
const releasesDirectory = join(repositoryRoot, 'tools/release/kept');

const platform = { baseUrl: 'https://api.platform.test', authUrl: 'https://auth.platform.test' };

/** The templates of the code as it is now. @param outputDirectory where the apps are synthesized, empty */
export function currentTemplates(outputDirectory: string): TemplatesBySettings {
  return {
    'default settings': synthesize({ platform, keepStandIns: true }, join(outputDirectory, 'defaults')),
    'every setting': withoutMonitoring(synthesize({ platform, ...everySetting }, join(outputDirectory, 'every'))),
  };
}

function withoutMonitoring({ data, service }: ReleaseTemplates): ReleaseTemplates {
  const kept = Object.entries(service.Resources).filter(([, { Type }]) => !Type.startsWith('AWS::CloudWatch::'));
  return { data, service: { ...service, Resources: Object.fromEntries(kept) } };
}

function synthesize(given: z.input<typeof settings>, outputDirectory: string): ReleaseTemplates {
  const environment = { name: 'release', settings: settings.parse(given) };
  const { app, data, service } = createApp(environment, {
    outdir: outputDirectory,
    context: { 'aws:cdk:bundling-stacks': [] },
  });
  const assembly = app.synth();
  const templateOf = ({ artifactId }: { readonly artifactId: string }) =>
    withoutMetadata(template.parse(assembly.getStackArtifact(artifactId).template));
  return { data: templateOf(data), service: templateOf(service) };
}

/** The releases before a version, oldest first. */
export function readEarlierReleases(version: string): readonly Release[] {
  return readdirSync(releasesDirectory)
    .filter(isReleaseVersion)
    .filter((one) => compareVersions(one, version) < 0)
    .toSorted(compareVersions)
    .map((one) => ({ version: one, templates: readTemplates(one) }));
}

/** The templates that are kept of a release. */
export function readTemplates(version: string): TemplatesBySettings {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(releasesDirectory, version, name), 'utf8'));
  const defaults = {
    data: template.parse(read(fileOf('data'))),
    service: template.parse(read(fileOf('service'))),
  };
  const changes = differences.parse(read(differencesFile));
  const changed = (name: (typeof stackNames)[number]) => ({
    ...defaults[name],
    Resources: applyDifference(defaults[name].Resources, changes[name].Resources),
    Outputs: applyDifference(defaults[name].Outputs, changes[name].Outputs),
  });
  return { 'default settings': defaults, 'every setting': { data: changed('data'), service: changed('service') } };
}

/** Keeps the templates of a release for all later upgrades to be compared with. */
export function writeRelease({ version, templates }: Release): void {
  mkdirSync(join(releasesDirectory, version), { recursive: true });
  const write = (name: string, content: object, indentation: number) =>
    writeFileSync(join(releasesDirectory, version, name), `${JSON.stringify(content, undefined, indentation)}\n`);
  const { 'default settings': defaults, 'every setting': every } = templates;
  for (const name of stackNames) write(fileOf(name), defaults[name], 1);
  const changes = (name: (typeof stackNames)[number]) => ({
    Resources: differenceOf(defaults[name].Resources, every[name].Resources),
    Outputs: differenceOf(defaults[name].Outputs, every[name].Outputs),
  });
  write(differencesFile, { data: changes('data'), service: changes('service') }, 0);
}

/** Whether the release has been kept already. */
export function hasRelease(version: string): boolean {
  return existsSync(join(releasesDirectory, version));
}

const differencesFile = 'every-setting.json';

function fileOf(name: string): string {
  return `${name}.template.json`;
}

/** The CDK's own notes change with its version, and CloudFormation does nothing by them. */
function withoutMetadata({ Resources, ...rest }: ReleaseTemplate): ReleaseTemplate {
  const resources = Object.entries(Resources).map(([id, { Metadata: _, ...kept }]) => [id, kept] as const);
  return { ...rest, Resources: Object.fromEntries(resources) };
}

type Entries<Value> = Readonly<Record<string, Value>>;

/** The entries that differ in another template: with its value, or null if it has none. */
type Difference<Value> = Readonly<Record<string, Value | null>>;

/** What {@link applyDifference} needs to turn the first entries into the second. */
function differenceOf<Value>(from: Entries<Value>, to: Entries<Value>): Difference<Value> {
  const changed = Object.entries(to).filter(([name, value]) => !isDeepStrictEqual(value, from[name]));
  const removed = Object.keys(from).filter((name) => !(name in to));
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((name) => [name, null])) };
}

/** The entries from which {@link differenceOf} took a difference, with that difference. */
function applyDifference<Value>(from: Entries<Value>, difference: Difference<Value>): Record<string, Value> {
  const all = { ...from, ...difference };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
