import { type Form, forms, sampleOf } from './forms.ts';
import type { Shape } from './recording.ts';

/** Of one place. */
const maxSamples = 200;

const formsOfWords: ReadonlySet<Form> = new Set(['word in capitals', 'country code']);

/**
 * Values that have, together, every form and every word of a shape: what a reader of Drawbridge does with them is what it does with the
 * values that were recorded. A field that is there sometimes is there always: see {@link samplesWithout}.
 */
export function samplesOf(shape: Shape): readonly unknown[] {
  const all = formsIn(shape);
  const given = all.length > 1 ? all.filter((form) => form !== 'null') : all;
  return given.flatMap((form) => samplesOfForm(shape, form)).slice(0, maxSamples);
}

/** Those of one of its forms. */
export function samplesOfForm(shape: Shape, form: Form): readonly unknown[] {
  const words = Object.keys(shape.words ?? {});
  if (form === 'array') return [shape.items === undefined ? [] : samplesOf(shape.items)];
  if (form === 'object') {
    const objects = samplesOfFields(shape.fields ?? {});
    // However the platform names the field of a word in an object, Drawbridge reads it as it reads `code`.
    return words.length === 0 ? objects : words.map((code, index) => ({ ...objects[index % objects.length], code }));
  }
  if (words.length > 0 && formsOfWords.has(form)) return words;
  // A word is recorded in capitals, and only the form says how it was written.
  return words.length > 0 && form === 'word' ? words.map((word) => word.toLowerCase()) : [sampleOf(form)];
}

/** Objects without one of the fields that are sometimes absent or null. Another field may stand for it: all others are there. */
export function samplesWithout(shape: Shape): readonly unknown[] {
  const [sample] = samplesOfFields(shape.fields ?? {});
  return Object.entries(shape.fields ?? {}).flatMap(([name, { absent, forms: written }]) =>
    absent === undefined && written.null === undefined ? [] : [{ ...sample, [name]: undefined }],
  );
}

export function formsIn(shape: Shape): readonly Form[] {
  return forms.filter((form) => form in shape.forms);
}

function samplesOfFields(fields: Readonly<Record<string, Shape>>): readonly Readonly<Record<string, unknown>>[] {
  const samples = Object.entries(fields).map(([name, shape]) => [name, samplesOf(shape)] as const);
  const most = Math.max(1, ...samples.map(([, { length }]) => length));
  return Array.from({ length: most }, (_, index) =>
    Object.fromEntries(samples.map(([name, ofField]) => [name, ofField[index % ofField.length]])),
  );
}
