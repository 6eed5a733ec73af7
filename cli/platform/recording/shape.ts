import { platformCode } from '#shared/entities/reason-codes.ts';
import { isObject, own } from '#shared/parse-json.ts';
import type { NamedFields } from './field-names.ts';
import { type Form, formOf } from './forms.ts';
import type { KeptWords } from './kept-words.ts';
import { cappedCount, fieldName, type Shape } from './recording.ts';

/** Of one body. What goes beyond is counted, or marked as cut. */
const maxima = { depth: 10, fields: 100, words: 100, places: 2_000 } as const;

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
    const isKept = named.keptIn({ names, forms: () => formsIn(objects), isTop: depth === 1 });
    const usual = names.filter((name) => fieldName.safeParse(name).success && isKept(name)).slice(0, maxima.fields);
    const shown = new Set(usual);
    const others = new Set(names.filter((name) => !shown.has(name)));
    const fields: Record<string, Shape> = {};
    for (const name of usual) {
      const present = objects.filter((one) => Object.hasOwn(one, name)).map((one) => own(one, name));
      const absent = objects.length - present.length;
      fields[name] = { ...shape(present, words.of(name), depth), ...(absent > 0 && { absent: cappedCount(absent) }) };
    }
    const otherValues = objects.flatMap((one) =>
      Object.entries(one).flatMap(([name, value]) => (others.has(name) ? [value] : [])),
    );
    return {
      ...(usual.length > 0 && { fields }),
      ...(others.size > 0 && { otherNames: cappedCount(others.size), others: shape(otherValues, unkept, depth) }),
    };
  }

  return shape(values, kept, 0);
}

const unkept: KeptWords = { of: () => unkept };

function countForms(values: readonly unknown[]): Shape['forms'] {
  const counts = new Map<Form, number>();
  for (const form of values.map(formOf)) counts.set(form, (counts.get(form) ?? 0) + 1);
  return Object.fromEntries(capped([...counts].toSorted(byName)));
}

/** The forms of the values in these objects, but null: a value that is not there has no form. */
function formsIn(objects: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<Form> {
  const forms = new Set(objects.flatMap((one) => Object.values(one).map(formOf)));
  forms.delete('null');
  return forms;
}

function wordsIn(values: readonly unknown[], { wordOf }: KeptWords): Pick<Shape, 'words'> {
  if (wordOf === undefined) return {};
  const counts = new Map<string, number>();
  for (const word of values.map(wordOf))
    if (typeof word === 'string' && platformCode.safeParse(word).success) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].toSorted(byName).slice(0, maxima.words);
  return words.length === 0 ? {} : { words: Object.fromEntries(capped(words)) };
}

function capped<Name extends string>(counts: readonly (readonly [Name, number])[]) {
  return counts.map(([name, count]) => [name, cappedCount(count)] as const);
}

function byName([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}
