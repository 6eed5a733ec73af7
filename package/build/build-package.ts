import { copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFunction } from '#infra/bundles/bundle.ts';
import { bundleCommand } from './bundle-command.ts';
import { bundleEntry } from './bundle-entry.ts';
import { entries, packageJson } from './entries.ts';
import { repositoryRoot } from './read-json.ts';
import { thirdPartyNotices } from './third-party-notices.ts';
import { writeDeclarations } from './write-declarations.ts';

/** From the root of the repository, and what the package calls them. */
const documents = {
  LICENSE: 'LICENSE',
  'package/README.md': 'README.md',
  'settings/settings.schema.json': 'settings.schema.json',
};

/**
 * Builds the package `@drawbridge-partner/drawbridge` into a directory, in place of what is there. Everything below it is published.
 *
 * @param builtPages the folder of the pages that only the package has
 */
export async function buildPackage(directory: string, builtPages: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const entry of entries) bundleEntry(entry, directory);
  const functions = globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).toSorted();
  const bundles = functions.map((entry) => bundleFunction(entry, join(directory, dirname(entry))).metafile);
  const notices = thirdPartyNotices(
    [...bundles, ...(await bundleCommand(directory))],
    ['node_modules/swagger-ui-dist', 'node_modules/preact', 'node_modules/uplot'],
  );
  writeFileSync(join(directory, 'THIRD-PARTY-NOTICES.txt'), notices);
  writeDeclarations(directory);
  for (const [from, to] of Object.entries(documents)) copyFileSync(join(repositoryRoot, from), join(directory, to));
  for (const page of globSync('docs/**/*.md', { cwd: repositoryRoot, exclude: ['docs/built'] })) {
    mkdirSync(join(directory, dirname(page)), { recursive: true });
    copyFileSync(join(repositoryRoot, page), join(directory, page));
  }
  cpSync(builtPages, join(directory, 'docs/built'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
}
