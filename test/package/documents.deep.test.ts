import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '#docs/generate/markdown-pages.ts';
import { pageOf } from '#package/build/documents.ts';
import { packedPackage, preparePackage, runInConsumer } from './packed-package.ts';

beforeAll(preparePackage);

/** The pages in the tarball, with the links that lead nowhere in it. */
function deadLinks() {
  const { built, files } = packedPackage();
  const inTarball = new Set(files);
  const markdown = files.filter((path) => path.endsWith('.md') && !path.startsWith('cli/template/'));
  const pages = new Map(markdown.map((path) => [path, readPage(readFileSync(join(built, path), 'utf8'))]));
  const relative = [...pages].flatMap(([path, { links }]) =>
    links.filter((link) => !/^[a-z]+:/.test(link)).map((link) => ({ path, link })),
  );
  const isDead = ({ path, link }: { readonly path: string; readonly link: string }) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(path, '..', file));
    const anchors = pages.get(target)?.anchors;
    return !inTarball.has(target) || (anchor !== undefined && anchors !== undefined && !anchors.has(anchor));
  };
  return { pages: [...pages.keys()], links: relative.length, dead: relative.filter(isDead) };
}

describe('a document in the tarball', () => {
  it('has no dead link', () => {
    const { links, dead } = deadLinks();
    expect(links).toBeGreaterThan(300);
    expect(dead).toEqual([]);
  });

  it('is for users: no decision, no page for contributors, and no mark of what is left out', () => {
    const { pages } = deadLinks();
    expect(pages).toEqual(
      expect.arrayContaining(['CHANGELOG.md', 'docs/how-to/deploy.md', 'docs/reference/alarms.md']),
    );
    expect(pages.filter((path) => /decisions|contribute|simulation/.test(path))).toEqual([]);
    const { built } = packedPackage();
    expect(
      pages.filter((path) => /<!-- \/?(?:repository|package)\b/.test(readFileSync(join(built, path), 'utf8'))),
    ).toEqual([]);
  });

  it('has a command of the repository only where it says that the command is for a clone', () => {
    const { built } = packedPackage();
    const ofClone = /npm run (?:platform|tour|verify|simulate|bench|scenario|docs|build)\b|node (?:tools|test|cli)\//;
    const steps = deadLinks().pages.flatMap((path) =>
      [...readFileSync(join(built, path), 'utf8').matchAll(/.*\n\n```sh\n(?:(?!```).*\n)+/g)]
        .filter(([step]) => ofClone.test(step) && !/in a clone/i.test(step))
        .map(([step]) => `${path}: ${step}`),
    );
    expect(steps).toEqual([]);
  });

  it('is read by programs through the exports of the package', async () => {
    const names = ['openapi', 'asyncapi', 'schemas/events/OrderStatusChanged', 'policies/boundary', 'settings.schema'];
    const printed = await runInConsumer(
      'documents.cjs',
      `for (const name of ${JSON.stringify(names)}) console.log(typeof require('@drawbridge-partner/drawbridge/' + name + '.json'));`,
    );
    expect(printed).toBe('object\n'.repeat(names.length));
  });
});

describe('pageOf', () => {
  const paths = new Set(['docs/README.md', 'docs/how-to/deploy.md', 'package/README.md']);
  const page = (text: string, path = 'docs/how-to/deploy.md') => pageOf(text, path, paths);

  it('leaves out what is for the repository, and has what is for the package', () => {
    expect(page('a\n<!-- repository -->\nfork\n<!-- /repository -->\n<!-- package\nnpm\n-->\nb')).toBe('a\nnpm\nb');
  });

  it('makes the link to what the package lacks a text, and finds what has moved', () => {
    expect(page('[a](../../infra/x.ts), [b](../../package/README.md#c), [d](#e) and [f](https://g.example)')).toBe(
      'a, [b](../../README.md#c), [d](#e) and [f](https://g.example)',
    );
  });

  it('leaves out a picture that the package lacks, and a link in brackets', () => {
    expect(page('a ([how](../decisions/x.md)), b ([how](deploy.md)).\n\n![c](../images/c.png)\n\nd')).toBe(
      'a, b ([how](deploy.md)).\n\nd',
    );
  });

  it('leaves rows without a page out of the index only', () => {
    const rows = '| a | [b](how-to/gone.md) |\n| c | [d](how-to/deploy.md) |';
    expect(page(rows, 'docs/README.md')).toBe('| c | [d](how-to/deploy.md) |');
  });
});
