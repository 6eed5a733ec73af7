import { hasRequestor, hasRights, isRequestorField, wordsOf } from './caller-terms.ts';
import type { PlatformCondition } from './errors.ts';

/** What the texts of an error body say, wherever in the body they are: its shape is not specified (section 7). */
export type ErrorMeaning = {
  /** The condition about the requestor that a text names. */
  readonly names: Extract<PlatformCondition, 'REQUESTOR_ID_INVALID' | 'VALIDATION_ERROR'> | undefined;
  /** Whether a text names the Requestor-ID, or the rights of the caller. */
  readonly isAboutCaller: boolean;
};

/** What is read of a body at most: an error says what it is near its beginning. */
const maxima = { values: 1_000, depth: 20, characters: 10_000 } as const;

/** @param body as parsed, or the text of a body that is not JSON; its shape is not trusted */
export function readMeaning(body: unknown): ErrorMeaning {
  const found = textsOf(body).map(({ text, isField }) => ({ text: text.slice(0, maxima.characters), isField }));
  const texts = found.map(({ text }) => text.toLowerCase());
  const squeezed = texts.map(squeeze);
  const someHas = (...words: readonly string[]) => squeezed.some((text) => words.every((word) => text.includes(word)));
  return {
    names: conditionIn(texts, someHas),
    isAboutCaller: found.some(isAboutCaller),
  };
}

function isAboutCaller({ text, isField }: BodyText): boolean {
  const words = wordsOf(text);
  return hasRequestor(words) || (!isField && hasRights(words));
}

type SomeHas = (...words: readonly string[]) => boolean;

/**
 * `VALIDATION_ERROR` is the specification's word for a requestor that is not ACTIVE. In other spellings, such as the title
 * `Validation error`, it stands for refused data as well, unless the body names the requestor.
 */
function conditionIn(texts: readonly string[], someHas: SomeHas): ErrorMeaning['names'] {
  if (someHas('requestoridinvalid')) return 'REQUESTOR_ID_INVALID';
  const isValidationError = someHas('validationerror') || someHas('notactive');
  if (texts.some((text) => text.includes('validation_error')) || (someHas('requestor') && isValidationError))
    return 'VALIDATION_ERROR';
  return someHas('requestorid', 'invalid') ? 'REQUESTOR_ID_INVALID' : undefined;
}

function squeeze(text: string): string {
  return text.replaceAll(/[^a-z0-9]/g, '');
}

type Member = {
  readonly value: unknown;
  /** Whether the value is the name of a field: such a name says nothing about the rights of the caller. */
  readonly isField: boolean;
};

type BodyText = { readonly text: string; readonly isField: boolean };

/** The texts of a value, and the names of its fields that are explained, those of the outer levels first. */
function textsOf(body: unknown): readonly BodyText[] {
  const texts: BodyText[] = [];
  let level: readonly Member[] = [{ value: body, isField: false }];
  for (let depth = 0, left: number = maxima.values; level.length > 0 && left > 0 && depth <= maxima.depth; depth += 1) {
    const members = level.slice(0, left);
    left -= members.length;
    const inner: Member[] = [];
    for (const { value, isField } of members) {
      if (typeof value === 'string') texts.push({ text: value, isField });
      else if (inner.length < left) inner.push(...membersOf(value, left, depth));
    }
    level = inner;
  }
  return texts;
}

/** The fields of an error that name the field that is refused, as `errorDetails[].field` does. */
const fieldsThatNameFields: ReadonlySet<string> = new Set(['field', 'parameter', 'path', 'pointer', 'property']);

/** A name in capitals is a code, such as the key of `{"ACCESS_DENIED": ["…"]}`. */
const isCode = (name: string) => name === name.toUpperCase();

function membersOf(value: unknown, most: number, depth: number): readonly Member[] {
  if (Array.isArray(value)) return value.slice(0, most).map((member: unknown) => ({ value: member, isField: false }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, most)
    .flatMap(([name, member]) => {
      const content = { value: member, isField: fieldsThatNameFields.has(name) };
      return isExplained(name, member, depth) ? [{ value: name, isField: !isCode(name) }, content] : [content];
    });
}

/**
 * Whether the error is about the field. A field at the top level that has a text or nothing may repeat what was sent, as a requestor
 * with an id does: its name then says nothing about the error. A text that is no id explains what is wrong with the requestor.
 */
function isExplained(name: string, member: unknown, depth: number): boolean {
  if (typeof member === 'object') return member !== null;
  if (typeof member !== 'string') return false;
  return isRequestorField(name) ? member !== '' && !isId(member) : depth > 0;
}

/** An id is one word with a digit; `invalid` and `MISSING` are none. */
function isId(value: string): boolean {
  return /^[\w-]+$/.test(value) && /\d/.test(value);
}
