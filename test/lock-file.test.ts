import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';

/** A package in the archive of another one has the digest of that archive. */
const lockedPackage = z.object({
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  inBundle: z.boolean().default(false),
});

const lockFile = z.object({ packages: z.record(z.string(), lockedPackage) });

it('finds a SHA-512 digest for each package in package-lock.json, and no address, so that it installs behind any mirror', () => {
  const text = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8');
  const packages = Object.entries(lockFile.parse(JSON.parse(text)).packages).filter(([path]) => path !== '');
  const wrong = packages.filter(
    ([, { integrity = '', resolved, inBundle }]) =>
      resolved !== undefined || !(inBundle || integrity.startsWith('sha512-')),
  );
  expect(packages.length).toBeGreaterThan(100);
  expect(wrong.map(([path]) => path)).toEqual([]);
});
