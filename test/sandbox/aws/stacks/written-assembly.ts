import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Blueprint, readBlueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';

type WrittenStack = {
  readonly template: Readonly<Record<string, unknown>>;
  readonly dependencies?: readonly string[];
};

export const place: Place = {
  account: '000000000000',
  region: 'eu-central-1',
  awsOrigin: 'http://127.0.0.1:4566',
  apiOrigin: 'http://127.0.0.1:8080',
};

/** Writes a cloud assembly that CDK would not write. It is removed after the test. */
export function writeAssembly(stacks: Readonly<Record<string, WrittenStack>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-assembly-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const write = (file: string, content: unknown) => writeFileSync(join(directory, file), JSON.stringify(content));
  const artifacts = Object.entries(stacks).map(([name, { dependencies = [] }]) => {
    const properties = { templateFile: `${name}.template.json` };
    return [name, { type: 'aws:cloudformation:stack', dependencies, properties }];
  });
  write('manifest.json', { artifacts: { ...Object.fromEntries(artifacts), Tree: { type: 'cdk:tree' } } });
  for (const [name, { template }] of Object.entries(stacks)) {
    write(`${name}.template.json`, template);
    write(`${name}.assets.json`, { files: { [`hash-of-${name}`]: { source: { path: `asset.${name}` } } } });
  }
  return directory;
}

type Resources = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Reads one stack, called `stack`, with these resources. */
export function readResources(resources: Resources): Blueprint {
  return readBlueprint(readCloudAssembly(writeAssembly({ stack: { template: { Resources: resources } } })), place);
}

/** A resource at a place among the constructs. */
export function resourceAt(path: string, type: string, properties: object = {}): Readonly<Record<string, unknown>> {
  return { Type: type, Properties: properties, Metadata: { 'aws:cdk:path': path } };
}
