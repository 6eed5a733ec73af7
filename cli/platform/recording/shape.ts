import { isObject, own } from '#shared/entities/object-fields.ts';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { parseJson } from '#shared/parse-json.ts';
import { type Form, formOf } from './forms.ts';
import type { KeptWords } from './kept-words.ts';
import { fieldName, type Shape } from './recording.ts';

/** Of one body. What goes beyond is counted, or said to be cut. */
const maxima = { depth: 10, fields: 100, words: 100, places: 2_000 } as const;

/** A name that is not listed: the names of persons begin with a capital, and ids have digits. */
const isPlain = /^[a-z][A-Za-z_]{0,39}$/;

export type NamedFields = {
  /** Whether the specification or Drawbridge has a field of this name. */
  readonly isListed: (name: string) => boolean;
  /** Whether a text of any recorded body has this word: then a name that is not listed may be data as well. */
  readonly isInTexts: (word: string) => boolean;
};

/** The shape of all these values. Holds none of them but words in the places that `kept` names. */
export function shapeOf(values: readonly unknown[], kept: KeptWords, named: NamedFields): Shape {
  let places = 0;

  function shape(here: readonly unknown[], words: KeptWords, depth: number): Shape {
    places += 1;
    const objects = here.filter(isObject);
    const items = here.filter((value): value is readonly unknown[] => Array.isArray(value)).flat();
    const isDeep = depth === maxima.depth || places > maxima.places;
    const inner = objects.some((one) => Object.keys(one).length > 0) || items.length > 0;
    return {
      forms: countForms(here),
      ...wordsIn(here, words),
      ...(inner && isDeep && { isCut: true }),
      ...(objects.length > 0 && !isDeep && fieldsIn(objects, words, depth + 1)),
      ...(items.length > 0 && !isDeep && { items: shape(items, words, depth + 1) }),
    };
  }

  function fieldsIn(objects: readonly Readonly<Record<string, unknown>>[], words: KeptWords, depth: number) {
    const names = [...new Set(objects.flatMap((one) => Object.keys(one)))].toSorted();
    const isUsual = (name: string) =>
      fieldName.safeParse(name).success &&
      (named.isListed(name) || (isPlain.test(name) && !named.isInTexts(name.toLowerCase())));
    const usual = names.filter(isUsual).slice(0, maxima.fields);
    const shown = new Set(usual);
    const others = new Set(names.filter((name) => !shown.has(name)));
    const fields: Record<string, Shape> = {};
    for (const name of usual) {
      const present = objects.filter((one) => Object.hasOwn(one, name)).map((one) => own(one, name));
      const absent = objects.length - present.length;
      fields[name] = { ...shape(present, words.of(name), depth), ...(absent > 0 && { absent }) };
    }
    const otherValues = objects.flatMap((one) =>
      Object.entries(one).flatMap(([name, value]) => (others.has(name) ? [value] : [])),
    );
    return {
      ...(usual.length > 0 && { fields }),
      ...(others.size > 0 && { otherNames: others.size, others: shape(otherValues, unkept, depth) }),
    };
  }

  return shape(values, kept, 0);
}

const unkept: KeptWords = { of: () => unkept };

function countForms(values: readonly unknown[]): Shape['forms'] {
  const counts = new Map<Form, number>();
  for (const form of values.map(formOf)) counts.set(form, (counts.get(form) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(byName));
}

function wordsIn(values: readonly unknown[], { wordOf }: KeptWords): Pick<Shape, 'words'> {
  if (wordOf === undefined) return {};
  const counts = new Map<string, number>();
  for (const word of values.map(wordOf))
    if (typeof word === 'string' && platformCode.safeParse(word).success) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].toSorted(byName).slice(0, maxima.words);
  return words.length === 0 ? {} : { words: Object.fromEntries(words) };
}

function byName([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}

/** The words of all texts in these values, in lower case. Without recursion: nothing bounds how deep a body is. */
export function wordsOfTexts(values: readonly unknown[]): ReadonlySet<string> {
  const words = new Set<string>();
  const left: unknown[] = [...values];
  for (let value = left.pop(); left.length > 0 || value !== undefined; value = left.pop()) {
    const json = typeof value === 'string' && /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    // The body of a webhook is a text in an undelivered record: the names of its fields are no words of a text.
    if (json !== undefined) left.push(json);
    else if (typeof value === 'string') for (const word of value.toLowerCase().split(/[^a-z_]+/)) words.add(word);
    else if (Array.isArray(value)) for (const item of value) left.push(item);
    else if (isObject(value)) for (const item of Object.values(value)) left.push(item);
  }
  return words;
}
