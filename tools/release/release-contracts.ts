import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { breakingChanges } from './breaking-changes.ts';
import { breakingEventChanges } from './breaking-event-changes.ts';

/** The documents on which others build, each with the comparison that finds what breaks them. */
const contracts = [
  { name: 'openapi.json', compare: breakingChanges },
  { name: 'asyncapi.json', compare: breakingEventChanges },
] as const;

type ContractName = (typeof contracts)[number]['name'];

/** The OpenAPI document of the API, or the AsyncAPI document of the events, of a release. */
type ReleasedContract = { readonly version: string; readonly document: unknown };

const releasesDirectory = join(repositoryRoot, 'tools/release/kept');

const currentFile = (name: ContractName) => join(repositoryRoot, 'docs/reference', name);

/** The documents of the releases that have one, as they were published. */
export function readReleased(name: ContractName): readonly ReleasedContract[] {
  return readdirSync(releasesDirectory)
    .map((version) => ({ version, file: join(releasesDirectory, version, name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ version, file }) => ({ version, document: JSON.parse(readFileSync(file, 'utf8')) }));
}

/** A document of the code as it is now. */
export function readCurrent(name: ContractName): unknown {
  return JSON.parse(readFileSync(currentFile(name), 'utf8'));
}

/** Since 0.2.0: who may list onboardings could take their video calls. */
const meantChanges = ['GET /onboardings: answer 200/items/*/identificationUrl: is gone'];

/** What the documents of a version break for clients and consumers of other releases, and was not meant to. */
export function contractProblems(version: string, read: (name: ContractName) => unknown): readonly string[] {
  return contracts.flatMap(({ name, compare }) =>
    readReleased(name)
      .filter((released) => released.version !== version)
      .flatMap(({ document }) => compare(document, read(name)))
      .filter((change) => !meantChanges.includes(change)),
  );
}

/** Keeps the documents of the code as those of a release, for all later ones to be compared with. */
export function saveContracts(version: string): void {
  for (const { name } of contracts) copyFileSync(currentFile(name), join(releasesDirectory, version, name));
}
