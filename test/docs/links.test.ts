import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPage, readPages, root } from './markdown-pages.ts';

const pages = readPages();
const pagesByPath = new Map(pages.map((page) => [page.path, page]));

/** What is wrong with a link, if anything is. Links to other hosts are not followed: tests need no network. */
function brokenLink(from: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : normalize(join(from, '..', decodeURI(path)));
  if (!existsSync(join(root, target))) return `${from}: ${link} names no file`;
  const page = pagesByPath.get(target);
  if (anchor === undefined || page === undefined || page.anchors.has(anchor)) return undefined;
  return `${from}: ${link} names no heading of ${target}`;
}

describe('the links of the documents', () => {
  it('lead to files and headings that exist', () => {
    expect(pages.flatMap(({ path, links }) => links.flatMap((link) => brokenLink(path, link) ?? []))).toEqual([]);
  });

  it('are read in every kind of page', () => {
    const kinds = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'llms.txt', 'docs/README.md', 'docs/tutorial.md'];
    for (const path of kinds) expect(pagesByPath.get(path)?.links, path).not.toHaveLength(0);
  });

  it.each([
    ['a missing file', 'README.md', 'docs/no-such-page.md'],
    ['a missing heading', 'README.md', 'docs/platform.md#no-such-heading'],
  ])('are reported when they name %s', (_, from, link) => {
    expect(brokenLink(from, link)).toContain(link);
  });

  it('are found in running text and tables, and not in code', () => {
    const page = readPage('# A `b` c\n\n[one](x.md) `[two](y.md)`\n\n| a |\n|---|\n| [three](z.md#a-b-c) |\n');
    expect([page.links, [...page.anchors]]).toEqual([['x.md', 'z.md#a-b-c'], ['a-b-c']]);
  });
});

describe('the decisions', () => {
  const index = pagesByPath.get('docs/decisions/README.md')?.links ?? [];
  const records = pages.map(({ path }) => path).filter((path) => /^docs\/decisions\/\d/.test(path));

  it('are all in the index, each once', () => {
    expect(index.toSorted()).toEqual(records.map((path) => path.slice('docs/decisions/'.length)).toSorted());
  });
});

describe('the table of contents', () => {
  it('leads to every page of docs, itself and the decisions aside', () => {
    const contents = pagesByPath.get('docs/README.md')?.links ?? [];
    const linked = new Set(contents.map((link) => normalize(join('docs', link.split('#')[0] ?? ''))));
    const inDocs = pages.map(({ path }) => path).filter((path) => /^docs\/(?!decisions\/|README)/.test(path));
    const viaIndex = pagesByPath.get('docs/reference/README.md')?.links ?? [];
    for (const link of viaIndex) linked.add(normalize(join('docs/reference', link)));
    expect(inDocs.filter((path) => !linked.has(path))).toEqual([]);
  });
});
