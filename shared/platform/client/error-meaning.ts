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
  const texts = textsOf(body).map((text) => text.slice(0, maxima.characters).toLowerCase());
  const squeezed = texts.map(squeeze);
  const someHas = (...words: readonly string[]) => squeezed.some((text) => words.every((word) => text.includes(word)));
  return {
    names: conditionIn(texts, someHas),
    isAboutCaller: wordsOfCallers.some((word) => someHas(word)),
  };
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

/** Only letters and digits: the header is written `Requestor-ID`, and may be named `requestor_id` or `requestorId`. */
const wordsOfCallers = [
  'requestor',
  'forbidden',
  'unauthorized',
  'unauthorised',
  'notauthorized',
  'notauthorised',
  'accessdenied',
  'permission',
  'privilege',
];

function squeeze(text: string): string {
  return text.replaceAll(/[^a-z0-9]/g, '');
}

/** The texts of a value, and the names of its fields that are explained, those of the outer levels first. */
function textsOf(body: unknown): readonly string[] {
  const texts: string[] = [];
  let level: readonly unknown[] = [body];
  for (let depth = 0, left: number = maxima.values; level.length > 0 && left > 0 && depth <= maxima.depth; depth += 1) {
    const values = level.slice(0, left);
    left -= values.length;
    texts.push(...values.filter((value) => typeof value === 'string'));
    const inner: unknown[] = [];
    for (const value of values) if (inner.length < left) inner.push(...membersOf(value, left, depth));
    level = inner;
  }
  return texts;
}

/** A field at the top level that has a text or nothing may repeat what was sent: its name says nothing about the error. */
function membersOf(value: unknown, most: number, depth: number): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, most);
  if (typeof value !== 'object' || value === null) return [];
  const isExplained = (member: unknown) =>
    (typeof member === 'object' && member !== null) || (depth > 0 && typeof member === 'string');
  return Object.entries(value)
    .slice(0, most)
    .flatMap(([name, member]) => (isExplained(member) ? [name, member] : [member]));
}
