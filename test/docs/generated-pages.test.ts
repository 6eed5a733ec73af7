import { join } from 'node:path';
import { expect, it } from 'vitest';
import { builtPages } from '#docs/generate/built-pages.ts';
import { pagesCommand } from '#docs/generate/generated.ts';
import { readPage, readPages, root } from '#docs/generate/markdown-pages.ts';
import { generatedPages } from '#docs/generate/pages.ts';
import { deployedResources } from '#test/infra/readable-stack.ts';
import { trialApps } from '#test/infra/trial-app.ts';
import { brokenLink } from './broken-link.ts';

const sources = {
  stacks: { data: deployedResources('data'), service: deployedResources('service') },
  trialApps,
};

it.each(Object.entries(generatedPages(sources)))(
  `writes %s as the code says: run ${pagesCommand}`,
  async (path, write) => {
    await expect(write()).toMatchFileSnapshot(join(root, path));
  },
);

it('builds the pages that the package has, with links that lead to pages and headings', () => {
  const built = Object.entries(builtPages(sources)).map(([path, write]) => ({ path, ...readPage(write()) }));
  const pages = new Map([...readPages(), ...built].map((page) => [page.path, page]));
  expect(built.filter(({ anchors }) => anchors.size === 0)).toEqual([]);
  expect(built.flatMap(({ path, links }) => links.flatMap((link) => brokenLink(pages, path, link) ?? []))).toEqual([]);
});
