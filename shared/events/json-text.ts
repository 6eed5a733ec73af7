import canonicalize from 'canonicalize';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { alwaysExact, parseExactJson } from '#shared/platform/fields/parse-untrusted.ts';

/** Whether a number of JSON can continue, or begin, with it. */
function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

const numberCharacters = /[-+.\deE]+/y;

/** The number that begins there in a JSON text that parses, as it is written. */
function numberAt(text: string, start: number): string {
  numberCharacters.lastIndex = start;
  return numberCharacters.exec(text)?.[0] ?? '-';
}

/** No double has more than 767 digits, without its exponent: a longer number is never exact, and not worth the time. */
const maxNumberLength = 1_000;

/** Whether a double keeps every digit that was written. */
export function isExact(written: string): boolean {
  if (written.length > maxNumberLength) return false;
  const value = Number(written);
  return Number.isFinite(value) && digits(written) === digits(String(value));
}

/** The significant digits and their power of ten: the same for every way to write the same number. */
function digits(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  if (significant === '') return '0';
  const trimmed = withoutTrailingZeros(significant);
  const power = Number(exponent) - fraction.length + significant.length - trimmed.length;
  return `${trimmed}e${power}`;
}

/** Not by an expression such as 0+$, which searches for the end of the text again from each zero. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** JSON as it was received: its value, and its canonical form if it has one. */
export type JsonText = {
  /** A number that a double cannot hold is the text of its digits: it may be an id. */
  readonly value: unknown;
  /** RFC 8785. Undefined if that form would be the same for two different texts. */
  readonly canonical: string | undefined;
  /** Whether an object has a key twice: the value then has only the last one. */
  readonly hasDuplicateKeys: boolean;
};

export type JsonTextFault = 'NOT_JSON' | 'NESTED_TOO_DEEP';

/** The text is not JSON that can be worked with. Carries a reason and nothing of the text. */
export class JsonTextError extends DrawbridgeError {
  readonly reason: JsonTextFault;

  constructor(reason: JsonTextFault) {
    super('JsonTextError', `The text cannot be read as JSON: ${reason}.`);
    this.reason = reason;
  }
}

/** Deeper JSON parses, but code that recurses into it (JSON.stringify, zod, a marshaller) runs out of stack. */
export const maxDepth = 100;

/**
 * Parses JSON, bounded in depth, and finds the canonical form that gives an event its identity.
 *
 * RFC 8785 is defined only for I-JSON. With a number that a double cannot hold, a duplicate key or half a surrogate pair, two
 * different texts would get the same canonical form, so such a text has no canonical form here.
 *
 * @throws {JsonTextError} when the bytes are not UTF-8, not JSON, or nested deeper than {@link maxDepth}
 */
export function parseJsonText(bytes: Uint8Array): JsonText {
  const text = decode(bytes);
  const shape = scan(text);
  if (shape.depth > maxDepth) throw new JsonTextError('NESTED_TOO_DEEP');
  const rounded = parse(text);
  const hasDuplicateKeys = shape.members !== countMembers(rounded);
  const exact = shape.isExact && !hasDuplicateKeys;
  // The identity of stored events is made of the numbers, and not of their digits.
  const canonical = exact ? canonicalForm(rounded) : undefined;
  return { value: shape.hasLongNumber ? parseExactJson(text) : rounded, canonical, hasDuplicateKeys };
}

/** A body that was parsed once; or why it cannot be. */
export type ReadJson = JsonText | JsonTextError;

/** As {@link parseJsonText}, with the fault as a value: a body that is not JSON is an event as well. */
export function readJsonText(bytes: Uint8Array): ReadJson {
  try {
    return parseJsonText(bytes);
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new JsonTextError('NOT_JSON');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out on purpose: the message of a SyntaxError quotes the text, and the text is personal data.
    throw new JsonTextError('NOT_JSON');
  }
}

function canonicalForm(value: unknown): string | undefined {
  try {
    return canonicalize(value);
  } catch {
    return undefined;
  }
}

type Shape = {
  readonly depth: number;
  readonly members: number;
  /** Whether a double keeps every number. */
  readonly isExact: boolean;
  /** Whether a number has so many characters that a double may not keep it as it is written. */
  readonly hasLongNumber: boolean;
};

/** Scans the text once, without a stack, for what parsing loses. The result has no meaning if the text is not JSON. */
function scan(text: string): Shape {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let isEachExact = true;
  let hasLongNumber = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === '{' || character === '[') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === '}' || character === ']') {
      depth -= 1;
    } else if (character === ':') {
      members += 1;
    } else if (character === '-' || isDigit(character)) {
      const number = numberAt(text, at);
      isEachExact &&= isExact(number);
      hasLongNumber ||= number.length > alwaysExact;
      at += number.length - 1;
    }
  }
  return { depth: deepest, members, isExact: isEachExact, hasLongNumber };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const children = Object.values(value);
  const own = Array.isArray(value) ? 0 : children.length;
  return children.reduce((sum: number, child: unknown) => sum + countMembers(child), own);
}
