import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFunction } from '#infra/bundles/bundle.ts';
import { bundleEntry } from './bundle-entry.ts';
import { entries, packageJson } from './entries.ts';
import { repositoryRoot } from './read-json.ts';
import { writeDeclarations } from './write-declarations.ts';

/** From the root of the repository, and what the package calls them. */
const documents = { LICENSE: 'LICENSE', 'package/README.md': 'README.md' };

/** Builds the package `drawbridge` into a directory, in place of what is there. Everything below it is published. */
export function buildPackage(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const entry of entries) bundleEntry(entry, directory);
  for (const entry of globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).toSorted())
    bundleFunction(entry, join(directory, dirname(entry)));
  writeDeclarations(directory);
  for (const [from, to] of Object.entries(documents)) copyFileSync(join(repositoryRoot, from), join(directory, to));
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
}
