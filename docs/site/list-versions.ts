/** Writes `dist/index.html`: the versions whose pages are in `dist/`, the newest first. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, 'dist');
const inOrder = new Intl.Collator('en', { numeric: true });
const versions = readdirSync(dist, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted((left, right) => inOrder.compare(right, left));
const links = versions.map((version) => `<li><a href="./${version}/">Drawbridge ${version}</a></li>`).join('');
writeFileSync(
  join(dist, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Drawbridge</title><h1>Drawbridge</h1><ul>${links}</ul></html>\n`,
);
