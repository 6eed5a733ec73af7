import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Prose, readCode, readPage } from './read-prose.ts';
import { rules } from './rules.ts';

const root = join(import.meta.dirname, '../..');

/** A sentence that a rule of the language refuses. */
export type Finding = {
  /** From the root of the repository. */
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
};

const minTitleWords = 4;
const maxSentenceWords = 30;

/** What the rules of the language find in a text. */
export function check({ kind, text, line }: Prose): readonly Omit<Finding, 'path'>[] {
  const found = rules.flatMap(({ find, instead }) => {
    const match = find.exec(text);
    return match === null ? [] : [{ line, found: match[0], instead }];
  });
  if (kind === 'paragraph') found.push(...longSentencesIn(text).map((sentence) => ({ line, ...sentence })));
  if (kind !== 'title') return found;
  const words = text.trim().split(/\s+/);
  if (words.length < minTitleWords)
    found.push({ line, found: text, instead: 'a title that stands on its own in a report' });
  return found;
}

/** The sentences of a paragraph, a cell or an item of a list that have too many words. */
function longSentencesIn(text: string): readonly Pick<Finding, 'found' | 'instead'>[] {
  return text.split(/[.!?]["')]*\s+|<br>|\s·\s/).flatMap((sentence) => {
    const words = sentence.trim().split(/\s+/);
    if (words.length <= maxSentenceWords) return [];
    const found = `${words.slice(0, 5).join(' ')} … (${words.length} words)`;
    return [{ found, instead: `sentences of at most ${maxSentenceWords} words` }];
  });
}

/** Every file whose language is checked: the pages and the code, but not the rules themselves. */
export function checkedPaths(): readonly string[] {
  const exclude = ['**/node_modules/**', '**/.*/**', '**/cdk.out/**', 'dist/**', 'test/language/**'];
  return globSync('**/*.{md,ts}', { cwd: root, exclude }).toSorted();
}

/** What the rules of the language find in a file. */
export function checkFile(path: string): readonly Finding[] {
  const text = readFileSync(join(root, path), 'utf8');
  const prose = path.endsWith('.md') ? readPage(text) : readCode(text);
  return prose.flatMap(check).map((finding) => ({ path, ...finding }));
}
