import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPages, root } from './markdown-pages.ts';

/** "section 3.3", "Sections 4.2 and 8", but not "RFC 6749 section 5.2". */
const reference = /(?<!RFC \d+,? )\bsections? (\d[\d.]*\d|\d)(?:(?:,| and| or| to)+ (\d[\d.]*\d|\d)(?![\w%]))*/gi;

/** The numbers of sections that a text names, also over the end of a line in a comment. */
function sectionsIn(text: string): readonly string[] {
  const line = text.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
  return [...line.matchAll(reference)].flatMap(([found]) => found.match(/\d[\d.]*\d|\d/g) ?? []);
}

describe('the sections that code and documents name', () => {
  const page = readFileSync(join(root, 'docs/platform.md'), 'utf8');
  const headings = new Set([...page.matchAll(/^#{2,3} (\d(?:\.\d)?)\.? /gm)].map(([, number]) => number));

  it('are headings of docs/platform.md, each under its number', () => {
    const code = globSync('{functions,shared,infra,sandbox,cli,examples,lint,test}/**/*.ts', { cwd: root });
    const paths = [...code, ...readPages().map(({ path }) => path)].filter(
      (path) => !path.endsWith('sections.test.ts'),
    );
    const missing = paths.flatMap((path) => {
      const named = sectionsIn(readFileSync(join(root, path), 'utf8'));
      return named.filter((number) => !headings.has(number)).map((number) => `${path}: section ${number}`);
    });
    expect(missing).toEqual([]);
  });

  it('are found in lists, in capitals and over the end of a line, but not in an RFC', () => {
    const text = '/** Sections 4.2 and 8, or section\n * 3.3. See RFC 6749 section 5.9, and section 2. */';
    expect(sectionsIn(text)).toEqual(['4.2', '8', '3.3', '2']);
  });
});
