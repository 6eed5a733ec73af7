import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

const releasesDirectory = join(repositoryRoot, 'tools/releases');
const fileName = 'asyncapi.json';

/** The AsyncAPI document of each release that has one, as it was published. */
export function readEventContracts(): readonly { readonly version: string; readonly contract: unknown }[] {
  return readdirSync(releasesDirectory)
    .filter((version) => existsSync(join(releasesDirectory, version, fileName)))
    .map((version) => ({
      version,
      contract: JSON.parse(readFileSync(join(releasesDirectory, version, fileName), 'utf8')),
    }));
}

/** Keeps the AsyncAPI document of the code as that of a release. */
export function saveEventContract(version: string): void {
  copyFileSync(join(repositoryRoot, 'docs/reference', fileName), join(releasesDirectory, version, fileName));
}
