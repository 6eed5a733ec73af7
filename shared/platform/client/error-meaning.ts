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
  const said = textsOf(body).map((text) => text.slice(0, maxima.characters));
  const texts = said.map((text) => text.toLowerCase());
  const squeezed = texts.map(squeeze);
  const someHas = (...words: readonly string[]) => squeezed.some((text) => words.every((word) => text.includes(word)));
  return {
    names: conditionIn(texts, someHas),
    isAboutCaller: said.map(wordsOf).some((text) => termsOfCallers.some((term) => term.test(text))),
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

/**
 * Terms about the caller, in the words of {@link wordsOf}. A permission may be a field of the person, such as `residencePermission`: it
 * counts only where the text says that the caller lacks one. Nothing is repeated without a limit, so that a search takes linear time.
 */
const termsOfCallers = [
  / (?:requestors?|requestor ?id|forbidden|unauthori[sz]ed|not ?authori[sz]ed) /,
  / access ?(?:is |was )?denied /,
  / (?:(?:operation|action) (?:is )?not permitted|not permitted to (?!be )[a-z]+) /,
  / (?:no|missing|insufficient|sufficient|enough|lacks?|lacking|without|have|has|have the|has the|necessary|required?|requires) ?(?:permission|privilege)s? /,
  / (?:permission|privilege)s? ?(?:is |was )?denied /,
  // The first words of a text: nothing says that the permission is another one.
  /^ (?:permission|privilege)s? ?(?:is |are )?(?:missing|required|insufficient) /,
];

/** The words of a text in lower case, each between two spaces. `Requestor-ID`, `requestor_id` and `requestorId` are the same two words. */
function wordsOf(text: string): string {
  const parted = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  const words = parted.split(/[^a-z0-9]/).filter((word) => word !== '');
  return ` ${words.join(' ')} `;
}

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
