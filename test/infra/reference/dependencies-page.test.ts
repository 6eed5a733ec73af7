import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { bundledPackages } from '#infra/supply-chain/bundled-packages.ts';
import { packagesOf, readLockFile } from '#infra/supply-chain/lock-file.ts';
import { purposes } from '#infra/supply-chain/purposes.ts';
import { writeDependencies } from './write-dependencies.ts';

const named = z.record(z.string(), z.string());
const { dependencies, devDependencies } = z
  .object({ dependencies: named, devDependencies: named })
  .parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));

const bundled = bundledPackages();

describe('docs/reference/dependencies.md', () => {
  it('is what the lock file and the bundles hold: run npx vitest run test/infra/reference -u', async () => {
    const page = writeDependencies(Object.keys(devDependencies).toSorted(), bundled);
    await expect(page).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/dependencies.md'));
  });

  it('says what each package of package.json is for, and names no other', () => {
    expect(Object.keys(purposes).toSorted()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).toSorted());
  });

  it('has no package of development in a bundle', () => {
    const deployed = new Set(packagesOf(readLockFile()).flatMap(({ name, isDev }) => (isDev ? [] : [name])));
    expect([...bundled.keys()].filter((name) => !deployed.has(name))).toEqual([]);
  });
});
