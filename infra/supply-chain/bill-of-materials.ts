import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import type { LockFile } from './lock-file.ts';

const bill = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.string(),
  components: z.array(
    z.looseObject({
      name: z.string(),
      group: z.string().optional(),
      version: z.string(),
      properties: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    }),
  ),
});

export type BillOfMaterials = z.output<typeof bill>;

/** CycloneDX did not write a bill of materials. */
export class BillOfMaterialsError extends Error {
  override readonly name = 'BillOfMaterialsError';
}

/**
 * The bill of materials of what is deployed, in CycloneDX 1.6: the production dependencies of the lock file. Equal for equal lock
 * files.
 *
 * @throws {BillOfMaterialsError}
 */
export function billOfMaterials(lock: LockFile): BillOfMaterials {
  const tool = join(repositoryRoot, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js');
  const options = [
    '--package-lock-only',
    '--omit',
    'dev',
    '--spec-version',
    '1.6',
    '--mc-type',
    'application',
    '--output-reproducible',
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, [tool, ...options], {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (status !== 0)
    throw new BillOfMaterialsError(`CycloneDX wrote no bill of materials. Run npm ci again:\n${stderr}`);
  return withHashes(bill.parse(JSON.parse(stdout)), lock);
}

/** Adds the digest of each package, which CycloneDX takes only from a lock file with addresses. */
export function withHashes({ components, ...others }: BillOfMaterials, lock: LockFile): BillOfMaterials {
  const hashesOf = ({ properties }: BillOfMaterials['components'][number]) => {
    const path = properties.find(({ name }) => name === 'cdx:npm:package:path')?.value ?? '';
    const digest = lock.packages[path]?.integrity?.replace('sha512-', '');
    return digest === undefined ? [] : [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
  };
  return { ...others, components: components.map((component) => ({ ...component, hashes: hashesOf(component) })) };
}

/** The names of the packages in a bill of materials. */
export function billedNames({ components }: BillOfMaterials): readonly string[] {
  return components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`)).toSorted();
}
