import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { deployedLicences } from '#infra/supply-chain/licences.ts';
import { type LockedPackage, packagesOf, readLockFile } from '#infra/supply-chain/lock-file.ts';
import { repositoryRoot } from './read-json.ts';

/**
 * The notices that the licences of bundled packages ask for: name, version, licence and its text of each.
 *
 * @throws when a package has a licence that is not allowed for what others receive
 */
export function thirdPartyNotices(metafiles: readonly Metafile[], further: readonly string[] = []): string {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs).flatMap((output) => Object.entries(output.inputs)))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => folderOfPackage(path) ?? []);
  const folders = [...inputs, ...further];
  const packages = packagesOf(readLockFile()).filter(({ path }) => folders.includes(path));
  return ['The JavaScript of this package holds code of the packages below.', '', ...packages.map(noticeOf)].join('\n');
}

/** `node_modules/@smithy/core` of `node_modules/@smithy/core/dist-es/index.js`. */
function folderOfPackage(path: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function noticeOf({ path, name, version, licence = 'of no name' }: LockedPackage): string {
  if (!deployedLicences.has(licence))
    throw new Error(`${name} ${version} has the licence ${licence}: it may not go into the package.`);
  const files = globSync('{LICENSE,LICENCE,NOTICE,license,License}*', { cwd: join(repositoryRoot, path) }).toSorted();
  const texts = files.map((file) => readFileSync(join(repositoryRoot, path, file), 'utf8').trim());
  return [`${'-'.repeat(80)}\n${name} ${version}: ${licence}\n`, ...texts, ''].join('\n');
}
