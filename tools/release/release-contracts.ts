import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

/** The OpenAPI document of the API, or the AsyncAPI document of the events, of a release. */
export type ReleasedContract = { readonly version: string; readonly document: unknown };

const releasesDirectory = join(repositoryRoot, 'tools/release/kept');

const currentFile = (name: string) => join(repositoryRoot, 'docs/reference', name);

/** The documents of the releases that have one, as they were published. */
function readReleased(name: string): readonly ReleasedContract[] {
  return readdirSync(releasesDirectory)
    .map((version) => ({ version, file: join(releasesDirectory, version, name) }))
    .filter(({ file }) => existsSync(file))
    .map(({ version, file }) => ({ version, document: JSON.parse(readFileSync(file, 'utf8')) }));
}

/** The API of the code as it is now. */
export function currentApi(): unknown {
  return JSON.parse(readFileSync(currentFile('openapi.json'), 'utf8'));
}

/** The API of each release. */
export const readReleasedApis = () => readReleased('openapi.json');

/** Keeps the document of the API of a release for all later ones to be compared with. */
export function writeReleasedApi({ version, document }: ReleasedContract): void {
  writeFileSync(join(releasesDirectory, version, 'openapi.json'), `${JSON.stringify(document, undefined, 1)}\n`);
}

/** The events of each release. */
export const readEventContracts = () => readReleased('asyncapi.json');

/** Keeps the AsyncAPI document of the code as that of a release. */
export function saveEventContract(version: string): void {
  copyFileSync(currentFile('asyncapi.json'), join(releasesDirectory, version, 'asyncapi.json'));
}
