import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleFunction } from '#infra/bundles/bundle.ts';
import { bundleCommand } from './bundle-command.ts';
import { bundleEntry } from './bundle-entry.ts';
import { writeDocuments } from './documents.ts';
import { entries, packageJson } from './entries.ts';
import { repositoryRoot } from './read-json.ts';
import { thirdPartyNotices } from './third-party-notices.ts';
import { writeDeclarations } from './write-declarations.ts';

/**
 * Builds the package `@drawbridge-partner/drawbridge` into a directory, in place of what is there. Everything below it is published.
 *
 * @param builtPages the folder of the pages and schemas that only the package has
 */
export async function buildPackage(directory: string, builtPages: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const entry of entries) bundleEntry(entry, directory);
  const functions = globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).toSorted();
  const bundles = functions.map((entry) => bundleFunction(entry, join(directory, dirname(entry))).metafile);
  const notices = thirdPartyNotices(
    [...bundles, ...(await bundleCommand(directory))],
    ['node_modules/@viz-js/viz', 'node_modules/swagger-ui-dist', 'node_modules/preact', 'node_modules/uplot'],
  );
  writeFileSync(join(directory, 'THIRD-PARTY-NOTICES.txt'), notices);
  writeDeclarations(directory);
  writeDocuments(directory, builtPages);
  writeFileSync(join(directory, 'package.json'), `${JSON.stringify(packageJson(), undefined, 2)}\n`);
}
