import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { readPages, root } from '#docs/generate/markdown-pages.ts';

const pages = readPages();
const pagesByPath = new Map(pages.map((page) => [page.path, page]));

/** The file that a link leads to; undefined for another host, which no test follows. */
function targetOf(from: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = ''] = link.split('#');
  return path === '' ? from : normalize(join(from, '..', decodeURI(path)));
}

/** What is wrong with a link, if anything is. */
function brokenLink(from: string, link: string): string | undefined {
  const target = targetOf(from, link);
  if (target === undefined) return undefined;
  if (!existsSync(join(root, target))) return `${from}: ${link} names no file`;
  const anchor = link.split('#')[1];
  const page = pagesByPath.get(target);
  if (anchor === undefined || page === undefined || page.anchors.has(anchor)) return undefined;
  return `${from}: ${link} names no heading of ${target}`;
}

it('each link of a document leads to a file and a heading that exist', () => {
  expect(pages.flatMap(({ path, links }) => links.flatMap((link) => brokenLink(path, link) ?? []))).toEqual([]);
  expect(brokenLink('README.md', 'docs/no-such-page.md')).toBe('README.md: docs/no-such-page.md names no file');
  expect(brokenLink('README.md', 'docs/platform.md#no-such-heading')).toContain('names no heading');
});

it('a link leads to each page of docs', () => {
  const linked = new Set(pages.flatMap(({ path, links }) => links.map((link) => targetOf(path, link))));
  const inDocs = pages.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
  expect(inDocs.length).toBeGreaterThan(20);
  expect(inDocs.filter((path) => !linked.has(path))).toEqual([]);
});
