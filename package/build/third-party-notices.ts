import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import * as z from 'zod';
import { readJson, repositoryRoot } from './read-json.ts';

/** Licences of what others receive: permissive ones, which ask for a notice at most. */
const permissiveLicences: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
]);

/** Older packages state an object. */
const licenceField = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)]);

const packageFile = z.object({ name: z.string(), version: z.string(), license: licenceField.default('of no name') });

/**
 * The notices that the licences of bundled packages ask for: name, version, licence and its text of each. Packages with one text share it.
 *
 * @throws when a package has a licence that is not allowed for what others receive
 */
export function thirdPartyNotices(metafiles: readonly Metafile[], further: readonly string[] = []): string {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs).flatMap((output) => Object.entries(output.inputs)))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => folderOfPackage(path) ?? []);
  const notices = [...new Set([...inputs, ...further])].toSorted().map(noticeOf);
  const byText = Object.groupBy(notices, ({ text }) => text);
  const groups = Object.entries(byText).map(([text, group = []]) =>
    ['-'.repeat(80), ...group.map(({ title }) => title), '', text, ''].join('\n'),
  );
  return ['The JavaScript of this package holds code of the packages below.', '', ...groups].join('\n');
}

/** `node_modules/@smithy/core` of `node_modules/@smithy/core/dist-es/index.js`. */
function folderOfPackage(path: string): string | undefined {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

type Notice = {
  /** `zod 4.6.7: MIT` */
  readonly title: string;
  /** The licence, and the notice if there is one. */
  readonly text: string;
};

function noticeOf(folder: string): Notice {
  const { name, version, license } = packageFile.parse(readJson(`${folder}/package.json`));
  if (!permissiveLicences.has(license))
    throw new Error(`${name} ${version} has the licence ${license}: it may not go into the package.`);
  const files = globSync('{LICENSE,LICENCE,NOTICE,license,License}*', { cwd: join(repositoryRoot, folder) }).toSorted();
  const texts = files.map((file) => readFileSync(join(repositoryRoot, folder, file), 'utf8').trim());
  return { title: `${name} ${version}: ${license}`, text: texts.join('\n') };
}
