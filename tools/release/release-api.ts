import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

/** The OpenAPI document of the API of a release. */
export type ReleasedApi = { readonly version: string; readonly document: unknown };

const releasesDirectory = join(repositoryRoot, 'tools/releases');

const pathOf = (version: string) => join(releasesDirectory, version, 'openapi.json');

/** The document of the code as it is now. */
export function currentApi(): unknown {
  return JSON.parse(readFileSync(join(repositoryRoot, 'docs/reference/openapi.json'), 'utf8'));
}

/** The documents of the releases so far. */
export function readReleasedApis(): readonly ReleasedApi[] {
  return readdirSync(releasesDirectory)
    .filter((version) => existsSync(pathOf(version)))
    .map((version) => ({ version, document: JSON.parse(readFileSync(pathOf(version), 'utf8')) }));
}

/** Keeps the document of a release for all later ones to be compared with. */
export function writeReleasedApi({ version, document }: ReleasedApi): void {
  writeFileSync(pathOf(version), `${JSON.stringify(document, undefined, 1)}\n`);
}
