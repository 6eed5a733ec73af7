import { nearestWord } from '#shared/nearest-word.ts';
import { CommandError } from './command-error.ts';

/** What a filter is, and the words that it is known to have. */
export type KnownWords = {
  /** Such as `event type`. */
  readonly what: string;
  readonly words: readonly string[];
};

/** More words hide the sentence in front of them. */
const maxNamed = 20;

/**
 * A hint for a filter that may have a typo; undefined for a known word, and without a word. Drawbridge also stores
 * words that it does not know, so a list with such a filter is not a mistake by itself.
 */
export function hintAt(word: string | undefined, { what, words }: KnownWords): string | undefined {
  if (word === undefined || words.includes(word)) return undefined;
  const nearest = nearestWord(word, words);
  if (nearest !== undefined) return `${word} is not a known ${what}. Did you mean ${nearest}?`;
  return `${word} is not a known ${what}.${words.length > maxNamed ? '' : ` Known: ${words.join(', ')}.`}`;
}

/** For a filter that can have no other word. @throws {CommandError} */
export function checkKnown(word: string | undefined, known: KnownWords, next: string): void {
  const hint = hintAt(word, known);
  if (hint !== undefined) throw new CommandError(hint, next);
}
