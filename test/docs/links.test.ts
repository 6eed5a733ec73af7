import { expect, it } from 'vitest';
import { readPages } from '#docs/generate/markdown-pages.ts';
import { brokenLink, targetOf } from './broken-link.ts';

const pages = readPages();
const pagesByPath = new Map(pages.map((page) => [page.path, page]));

it('each link of a document leads to a committed file and a heading that exist', () => {
  const broken = pages.flatMap(({ path, links }) => links.flatMap((link) => brokenLink(pagesByPath, path, link) ?? []));
  expect(broken).toEqual([]);
});

it.each([
  ['docs/no-such-page.md', 'names no file'],
  ['docs/built/cli.md', 'names no file'],
  ['docs/reference/glossary.md#no-such-heading', 'names no heading'],
])('finds the broken link %s', (link, found) => {
  expect(brokenLink(pagesByPath, 'README.md', link)).toContain(found);
});

it('a link leads to each page of docs', () => {
  const linked = new Set(pages.flatMap(({ path, links }) => links.map((link) => targetOf(path, link))));
  const inDocs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(inDocs.length).toBeGreaterThan(20);
  expect(inDocs.filter((path) => !linked.has(path))).toEqual([]);
});
