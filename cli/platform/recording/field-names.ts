import { isObject, parseJson } from '#shared/parse-json.ts';
import type { Form } from './forms.ts';

/** What decides, for the objects in one place of all bodies, whether their names may be data. */
export type ObjectNames = {
  readonly names: readonly string[];
  /** The forms of the values, but null. */
  readonly forms: () => ReadonlySet<Form>;
  /** Whether the objects are whole bodies. */
  readonly isTop: boolean;
};

export type NamedFields = {
  /** Which names of these objects are kept. The others may be data. */
  readonly keptIn: (objects: ObjectNames) => (name: string) => boolean;
};

/** A name that is not listed: the names of persons begin with a capital, and ids have digits. */
const isPlain = /^[a-z][A-Za-z_]{0,39}$/;

/**
 * Distinguishes names of fields from names that may be data. A listed name is kept wherever it stands. Another is left out if a text of any
 * body has it, or a word of it: it may be the name of a person. In an object without a listed name, which may be a map, a name is kept only
 * if it has a word of listed names, such as `loanId`, and the values differ in form.
 *
 * @param listed the names that the specification, the profile or Drawbridge has
 * @param platformWords the statuses and event types that these have: words of them are of no person
 * @param bodies all that is recorded
 */
export function nameFields(
  listed: ReadonlySet<string>,
  platformWords: readonly string[],
  bodies: readonly unknown[],
): NamedFields {
  const texts = wordsOfTexts(bodies);
  const listedWords = new Set([...listed].flatMap(wordsOfName));
  const harmless = new Set([...listedWords, ...platformWords.flatMap((word) => word.toLowerCase().split('_'))]);
  const isInTexts = (name: string) => {
    const words = wordsOfName(name);
    return texts.has(words.join('')) || words.some((word) => texts.has(word) && !harmless.has(word));
  };
  return {
    keptIn: ({ names, forms, isTop }) => {
      const isListedHere = isTop || names.some((name) => listed.has(name));
      const isMap = !isListedHere && names.length > 1 && forms().size <= 1;
      return (name) => {
        if (listed.has(name)) return true;
        if (isMap || !isPlain.test(name) || isInTexts(name)) return false;
        return isListedHere || wordsOfName(name).some((word) => listedWords.has(word));
      };
    },
  };
}

/** `erikaMustermann` and `erika_mustermann` have two words. */
function wordsOfName(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((word) => word.length > 1);
}

/** The words of all texts in these values, as a name may write them. Without recursion: nothing bounds how deep a body is. */
function wordsOfTexts(values: readonly unknown[]): ReadonlySet<string> {
  const words = new Set<string>();
  const seen = new Set<string>();
  const left: unknown[] = [...values];
  for (let value = left.pop(); left.length > 0 || value !== undefined; value = left.pop()) {
    const json = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    // The body of a webhook is a text in an undelivered record: the names of its fields are not words of a text.
    if (json !== undefined) left.push(json);
    else if (typeof value === 'string') addWords(value, words, seen);
    else if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (isObject(value)) for (const item of Object.values(value)) left.push(item);
  }
  return words;
}

/** In characters. Normalization takes quadratic time for long runs of combining marks, and no name of a field is longer. */
const maxWord = 200;

function addWords(text: string, words: Set<string>, seen: Set<string>): void {
  // A code such as VIDEO_IDENT names no person.
  if (/^[A-Z]+_[A-Z_]+$/.test(text)) return;
  for (const found of text.split(/[^\p{L}\p{M}]+/u)) {
    if (found.length > maxWord || seen.has(found)) continue;
    seen.add(found);
    for (const word of wordsOfName(found)) for (const form of foldings(word)) words.add(form);
    for (const form of foldings(found.toLowerCase())) words.add(form);
  }
}

const digraphs: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ø', 'oe'],
  ['ü', 'ue'],
  ['å', 'aa'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ß', 'ss'],
]);

/** `müller` as `muller` and as `mueller`; `mueller` as `muller` as well. */
function foldings(word: string): readonly string[] {
  if (word === '') return [];
  const composed = word.normalize('NFC');
  const long = withoutMarks(composed.replaceAll(/[äöøüåæœß]/g, (letter) => digraphs.get(letter) ?? letter));
  const short = withoutMarks(composed.replaceAll(/[øæœß]/g, (letter) => shortened.get(letter) ?? letter));
  return [long, short, short.replaceAll(/([aou])e/g, '$1')];
}

const shortened: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['æ', 'a'],
  ['œ', 'o'],
  ['ß', 'ss'],
]);

function withoutMarks(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '');
}
