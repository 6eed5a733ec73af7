import { existsSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { builtFolder, type Page, root } from '#docs/generate/markdown-pages.ts';

/** The file that a link leads to; undefined for another host, which no test follows. */
export function targetOf(from: string, link: string): string | undefined {
  if (/^[a-z]+:/.test(link)) return undefined;
  const [path = ''] = link.split('#');
  return path === '' ? from : normalize(join(from, '..', decodeURI(path)));
}

/** What is wrong with a link, if anything is. `pages` are those that the page may link to, by path. */
export function brokenLink(
  pages: ReadonlyMap<string, Pick<Page, 'anchors'>>,
  from: string,
  link: string,
): string | undefined {
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
