/** `node tools/bundle-contents.ts`: prints the bytes of each function's bundle by package, as a table of Markdown. */
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { bundleFunction, repositoryRoot } from '#infra/bundles/bundle.ts';

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-bundles-'));

/** Bytes by package. The code of this repository stands under its folder. */
function contentsOf(entry: string): ReadonlyMap<string, number> {
  const contents = new Map<string, number>();
  for (const { inputs } of Object.values(bundleFunction(entry, join(directory, entry)).metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? `${path.split('/')[0]}/`;
      if (bytesInOutput > 0) contents.set(name, (contents.get(name) ?? 0) + bytesInOutput);
    }
  return contents;
}

try {
  const entries = globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).toSorted();
  const bundles = entries.map((entry) => ({ name: basename(dirname(entry)), contents: contentsOf(entry) }));
  const names = [...new Set(bundles.flatMap(({ contents }) => [...contents.keys()]))].toSorted();
  const total = (contents: ReadonlyMap<string, number>) =>
    [...contents.values()].reduce((sum, bytes) => sum + bytes, 0);
  const rows = [
    ['Package', ...bundles.map(({ name }) => name)],
    ['---', ...bundles.map(() => '--:')],
    ...names.map((name) => [name, ...bundles.map(({ contents }) => contents.get(name) ?? 0)]),
    ['all', ...bundles.map(({ contents }) => total(contents))],
  ];
  process.stdout.write(rows.map((row) => `| ${row.join(' | ')} |\n`).join(''));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
