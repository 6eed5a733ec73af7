import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

const lockedPackage = z.looseObject({
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  dev: z.boolean().default(false),
  link: z.boolean().default(false),
  inBundle: z.boolean().default(false),
});

const lockFile = z.looseObject({
  lockfileVersion: z.number(),
  packages: z.record(z.string(), lockedPackage),
});

export type LockFile = Readonly<z.output<typeof lockFile>>;

/** A package of the lock file. */
export type LockedPackage = {
  /** Where it is installed: `node_modules/zod`. Another package can have a copy of its own below it. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression, as the package states it; undefined where it states none. */
  readonly licence: string | undefined;
  /** Whether only development needs it. */
  readonly isDev: boolean;
};

export function parseLockFile(text: string): LockFile {
  return lockFile.parse(JSON.parse(text));
}

export function readLockFile(): LockFile {
  return parseLockFile(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8'));
}

/** All packages, the repository's own aside. */
export function packagesOf({ packages }: LockFile): readonly LockedPackage[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version = '', license, dev }]) => ({
      path,
      name: nameOf(path),
      version,
      licence: license,
      isDev: dev,
    }));
}

/** A SHA-512 digest, as npm writes it. */
const integrityForm = /^sha512-[A-Za-z0-9+/]{86}==$/;

/**
 * What is wrong with a lock file: a package without a SHA-512 digest, from an address, or from this machine. A package in the
 * archive of another one has the digest of that archive.
 */
export function lockFileProblems({ lockfileVersion, packages }: LockFile): readonly string[] {
  const ofPackages = Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, { integrity, resolved, link, inBundle }]) => [
      ...(link ? [`${path} is a link to a folder of this machine: install a published version.`] : []),
      ...(resolved === undefined ? [] : [`${path} names an address: install with the .npmrc of the repository.`]),
      ...(inBundle || link || integrityForm.test(integrity ?? '')
        ? []
        : [`${path} has no SHA-512 digest: install it again from a registry.`]),
    ]);
  return [
    ...(lockfileVersion === 3 ? [] : ['The lock file has another version than 3: use npm 9 or newer.']),
    ...ofPackages,
  ];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
