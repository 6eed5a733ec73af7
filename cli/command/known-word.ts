import { CommandError } from './command-error.ts';

/** What a filter is, and the words that it is known to have. */
export type KnownWords = {
  /** Such as `event type`. */
  readonly what: string;
  readonly words: readonly string[];
};

/**
 * A hint for a filter that may have a typo; undefined for a known word, and without a word. Drawbridge also stores
 * words that it does not know, so a list with such a filter is not a mistake by itself.
 */
export function hintAt(word: string | undefined, { what, words }: KnownWords): string | undefined {
  if (word === undefined || words.includes(word)) return undefined;
  const nearest = nearestOf(word, words);
  const known = nearest === undefined ? `Known: ${words.join(', ')}.` : `Did you mean ${nearest}?`;
  return `${word} is not a known ${what}. ${known}`;
}

/** For a filter that can have no other word. @throws {CommandError} */
export function checkKnown(word: string | undefined, known: KnownWords, next: string): void {
  const hint = hintAt(word, known);
  if (hint !== undefined) throw new CommandError(hint, next);
}

/** The word that differs in the fewest characters, unless it differs in more than a third of them. */
export function nearestOf(word: string, words: readonly string[]): string | undefined {
  const given = word.toUpperCase();
  const ranked = words
    .map((one) => ({ one, edits: editsBetween(given, one.toUpperCase()) }))
    .toSorted((first, second) => first.edits - second.edits);
  const [best] = ranked;
  return best !== undefined && best.edits <= Math.max(given.length, best.one.length) / 3 ? best.one : undefined;
}

/** How many characters are to be added, removed or replaced: the distance of Levenshtein. */
function editsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, character] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (before[column] ?? 0) + (character === wanted ? 0 : 1);
      current.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    before = current;
  }
  return before[other.length] ?? 0;
}
