import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { buildAssets } from '#cli/console/assets/build-assets.ts';
import { root } from '#docs/generate/markdown-pages.ts';

/** In bytes, gzipped: what the browser loads. */
const budget = 250_000;

it('loads less than 250 KB, and nothing from another site', async () => {
  const assets = await buildAssets(root);
  expect([...assets.keys()].toSorted()).toEqual([
    '/assets/console.css',
    '/assets/console.js',
    '/assets/live-worker.js',
  ]);
  const sizes = [...assets.values()].map(({ body }) => gzipSync(body).byteLength);
  expect(sizes.reduce((one, other) => one + other, 0)).toBeLessThan(budget);
  const text = [...assets.values()].map(({ body }) => Buffer.from(body).toString()).join('\n');
  const addresses = [...text.matchAll(/https?:\/\/[^\s"'`)]+/g)].map(([address]) => address);
  // Names of XML, and the home pages in licence notes, are not loaded.
  expect(addresses.filter((address) => !/w3\.org|github\.com/.test(address))).toEqual([]);
});
