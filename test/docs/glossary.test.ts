import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './markdown-pages.ts';

const page = readFileSync(join(root, 'docs/glossary.md'), 'utf8');
const [, ...sections] = page.split(/^## /m);
const entries = sections.map((section) => {
  const [term = '', ...lines] = section.split('\n');
  const [, definition = '', name] = /^(.*) In code: `(\w+)`\.$/s.exec(lines.join('\n').trim()) ?? [];
  return { term, definition, name };
});

describe('docs/glossary.md', () => {
  it('has its terms in alphabetical order, each once', () => {
    const terms = entries.map(({ term }) => term);
    expect(terms).toEqual([...new Set(terms)].toSorted());
  });

  it('defines each term in at most three sentences', () => {
    const long = entries.filter(({ definition }) => definition.split(/\. (?=[A-Z])/).length > 3);
    expect(long.map(({ term }) => term)).toEqual([]);
  });

  it('names for each term what the code calls it', () => {
    const files = globSync('{functions,shared,infra,sandbox,cli,test/simulation}/**/*.ts', { cwd: root });
    const words = new Set(files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []));
    expect(entries.length).toBeGreaterThan(40);
    expect(entries.filter(({ name }) => name === undefined || !words.has(name))).toEqual([]);
  });
});
