/** A field of JSON. */
export type JsonField = {
  readonly name: string;
  /** The index in the text at which the value begins. */
  readonly valueAt: number;
};

/** In characters. No field that is looked for has a longer name. */
const maxNameLength = 128;

/**
 * The fields in a text: each name in quotes with a colon after it. The text can be JSON, a piece of JSON, or JSON that stands
 * as a text in other JSON, where backslashes precede each quote. One pass without a parser: a piece begins anywhere, and
 * nothing bounds how deep a body is nested.
 */
export function* fieldsIn(text: string): Generator<JsonField> {
  for (let colon = text.indexOf(':'); colon >= 0; colon = text.indexOf(':', colon + 1)) {
    const name = nameBefore(text, colon);
    if (name !== undefined) yield { name, valueAt: skipSpace(text, colon + 1) };
  }
}

function nameBefore(text: string, colon: number): string | undefined {
  let end = skipSpaceBack(text, colon) - 1;
  if (text[end] !== '"') return undefined;
  while (text[end - 1] === '\\') end -= 1;
  let start = end;
  while (isWordCharacter(text.charCodeAt(start - 1)) && end - start <= maxNameLength) start -= 1;
  return text[start - 1] === '"' ? text.slice(start, end) : undefined;
}

/** NaN, before the first character, is none. */
function isWordCharacter(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}

const space: ReadonlySet<string | undefined> = new Set([' ', '\t', '\n', '\r']);
/** Within a text of JSON a line break is written as a backslash and a letter. */
const escapedSpace: ReadonlySet<string | undefined> = new Set(['t', 'n', 'r']);

function skipSpace(text: string, start: number): number {
  for (let at = start; ; at += 1) {
    const letter = skipBackslashes(text, at);
    if (letter > at && escapedSpace.has(text[letter])) at = letter;
    else if (!space.has(text[at])) return at;
  }
}

function skipSpaceBack(text: string, end: number): number {
  let at = end;
  for (;;) {
    const previous = text[at - 1];
    if (escapedSpace.has(previous) && text[at - 2] === '\\') {
      at -= 2;
      while (text[at - 1] === '\\') at -= 1;
    } else if (space.has(previous)) at -= 1;
    else return at;
  }
}

function skipBackslashes(text: string, start: number): number {
  let at = start;
  while (text[at] === '\\') at += 1;
  return at;
}

const id = /[a-z\d][\w.~:-]{0,127}/iy;

/** The characters of an identifier that stand here, in quotes or without. Its end can be missing. */
export function idAt(text: string, valueAt: number): string | undefined {
  const quote = skipBackslashes(text, valueAt);
  id.lastIndex = text[quote] === '"' ? quote + 1 : valueAt;
  return id.exec(text)?.[0];
}

/** In characters as they are written. A text of 255 characters takes less, however it is escaped. */
const maxStringLength = 4_096;

/** The backslashes before each quote of JSON that stands in the text of other JSON, up to three times over. */
const backslashesByNesting = [0, 1, 3, 7];

/** The text value that stands here; undefined where there is none, where its end is missing, and where it is longer than 4,096 characters. */
export function stringAt(text: string, valueAt: number): string | undefined {
  const quote = skipBackslashes(text, valueAt);
  const nesting = backslashesByNesting.indexOf(quote - valueAt);
  if (nesting < 0 || text[quote] !== '"') return undefined;
  const own = 2 ** nesting;
  const limit = Math.min(text.length, quote + maxStringLength);
  let backslashes = 0;
  for (let at = quote + 1; at < limit; at += 1) {
    if (text[at] === '\\') backslashes += 1;
    else if (text[at] !== '"') backslashes = 0;
    // Escaped, a quote within the text has twice as many backslashes before it as its ends, and each backslash is doubled.
    else if ((backslashes + 1) % (2 * own) === own) return unescapeText(text.slice(quote + 1, at - own + 1), nesting);
    else if ((backslashes + 1) % own !== 0) return undefined;
    else backslashes = 0;
  }
  return undefined;
}

function unescapeText(written: string, nesting: number): string | undefined {
  try {
    const text = String(JSON.parse(`"${written}"`));
    return nesting === 0 ? text : unescapeText(text, nesting - 1);
  } catch {
    return undefined;
  }
}
