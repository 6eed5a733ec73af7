import { describe, expect, it } from 'vitest';
import { check, checkedPaths, checkFile, type Finding } from './check-language.ts';
import { notYet } from './not-yet.ts';
import { readCode, readPage } from './read-prose.ts';

const findingsIn = (code: string) => readCode(code).flatMap(check);

describe('the linter of the language', () => {
  it.each([
    ['a comment', '/** Nobody reads it. */', 'Nobody'],
    ['a comment over two lines', '/**\n * They run side\n * by side.\n */', 'side by side'],
    ['a message', "throw new Error('The queue stands still.');", 'stands still'],
    ['a template', 'log(`Fix $' + '{name} by hand`);', 'by hand'],
    ['the title of a test', "it('answers 404 for whoever asks', () => {});", 'whoever'],
    ['a reference to an issue', '// See issue 12 for the reason.', 'issue 12'],
  ])('finds a refused phrase in %s', (_, code, phrase) => {
    expect(findingsIn(code).map(({ found }) => found)).toContain(phrase);
  });

  it('finds a title of fewer than four words, also of a table of tests', () => {
    const code = "it('is refused', test);\nit.each([[1, 'a b']])('takes %s', test);";
    expect(findingsIn(code).map(({ line, found }) => [line, found])).toEqual([
      [1, 'is refused'],
      [2, 'takes %s'],
    ]);
  });

  it('leaves identifiers, single words and code in pages alone', () => {
    expect(findingsIn("const news = told['heard'];")).toEqual([]);
    expect(readPage('Run `mend news` and wait.').flatMap(check)).toEqual([]);
  });

  it('finds a sentence of more than 30 words in a page, but no long list of cells or links', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');
    const sentences = (text: string) => readPage(text).flatMap(check);
    expect(sentences(`${words(30)}. ${words(31)}.`)).toMatchObject([{ line: 1, found: expect.stringContaining('31') }]);
    expect(sentences(`${words(20)} · ${words(20)}<br>${words(20)}`)).toEqual([]);
  });

  it('finds a refused phrase in a paragraph of a page with its line', () => {
    expect(readPage('# Title\n\nFix it\nby hand.').flatMap(check)).toMatchObject([{ line: 3, found: 'by hand' }]);
  });
});

describe('the language of the repository', () => {
  const findings = checkedPaths().flatMap(checkFile);
  const isLeftOut = ({ path }: Pick<Finding, 'path'>) => notYet.some((start) => path.startsWith(start));

  it('has no finding outside the folders that are not rewritten yet', () => {
    expect(findings.filter((finding) => !isLeftOut(finding))).toEqual([]);
  });

  it('leaves out no folder that has no finding any more', () => {
    expect(notYet.filter((start) => !findings.some(({ path }) => path.startsWith(start)))).toEqual([]);
  });
});
