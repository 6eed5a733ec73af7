import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { builtFolder, type Page, readPages, root } from '#docs/generate/markdown-pages.ts';

const pages = readPages();
const pagesByPath = new Map(pages.map((page) => [page.path, page]));

/** The file that a link leads to; undefined for another host, which no test follows. */
function targetOf(from: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = ''] = link.split('#');
  return path === '' ? from : normalize(join(from, '..', decodeURI(path)));
}

/** What is wrong with a link, if anything is. `pages` are those that the page may link to, by path. */
function brokenLink(pages: ReadonlyMap<string, Pick<Page, 'anchors'>>, from: string, link: string): string | undefined {
  const target = targetOf(from, link);
  if (target === undefined) return undefined;
  const page = pages.get(target);
  // On a machine that has built the pages, the file exists.
  const exists = !target.startsWith(`${builtFolder}/`) && existsSync(join(root, target));
  if (page === undefined && !exists) return `${from}: ${link} names no file`;
  const anchor = link.split('#')[1];
  if (anchor === undefined || page === undefined || page.anchors.has(anchor)) return undefined;
  return `${from}: ${link} names no heading of ${target}`;
}

it('finds a committed file and a heading for each link of a document', () => {
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

it('finds a link to each page of docs', () => {
  const linked = new Set(pages.flatMap(({ path, links }) => links.map((link) => targetOf(path, link))));
  const inDocs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(inDocs.length).toBeGreaterThan(20);
  expect(inDocs.filter((path) => !linked.has(path))).toEqual([]);
});
