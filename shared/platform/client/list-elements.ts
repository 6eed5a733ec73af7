/**
 * The elements of a list as they stand in the body of a page, byte for byte: what is parsed and written again loses
 * digits of numbers, and keys that stand twice. The body must be JSON: an array, or an object with the array `data`.
 */
export function listElements(body: Uint8Array): readonly Uint8Array[] {
  const start = skipSpace(body, byteOrderMark.every((byte, at) => body[at] === byte) ? byteOrderMark.length : 0);
  const list = body[start] === code.bracket ? start : lastData(body, start);
  return list === undefined ? [] : parts(body, list).map(({ from, to }) => body.subarray(from, to));
}

const code = { quote: 0x22, comma: 0x2c, colon: 0x3a, bracket: 0x5b, backslash: 0x5c, brace: 0x7b } as const;

/** It is skipped if the body is decoded, too. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

type Span = { readonly from: number; readonly to: number };

/** Where the value of `data` begins: of keys that stand twice the last one counts, as for JSON.parse. */
function lastData(body: Uint8Array, object: number): number | undefined {
  let last: number | undefined;
  for (const { from } of parts(body, object)) {
    const keyEnd = skipValue(body, from);
    if (isData(body.subarray(from, keyEnd))) last = skipSpace(body, skipSpace(body, keyEnd) + 1);
  }
  return last;
}

const utf8 = new TextDecoder();

/** In bytes: `"data"` takes no more, with each of its letters escaped. */
const maxKeyLength = 26;

function isData(key: Uint8Array): boolean {
  if (key.length > maxKeyLength) return false;
  const parsed: unknown = JSON.parse(utf8.decode(key));
  return parsed === 'data';
}

/** What stands between the commas of an object or an array, without the space around it. */
function parts(body: Uint8Array, container: number): readonly Span[] {
  const found: Span[] = [];
  let from = skipSpace(body, container + 1);
  while (!isClosing(body[from])) {
    let to = skipValue(body, from);
    let next = skipSpace(body, to);
    if (body[next] === code.colon) {
      to = skipValue(body, skipSpace(body, next + 1));
      next = skipSpace(body, to);
    }
    found.push({ from, to });
    from = body[next] === code.comma ? skipSpace(body, next + 1) : next;
  }
  return found;
}

/** The end of the value that begins here. Without a stack: however deep it is nested. */
function skipValue(body: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const byte = body[at];
    if (byte === code.quote) at = skipString(body, at);
    else if (byte === code.bracket || byte === code.brace) {
      depth += 1;
      at += 1;
    } else if (isClosing(byte)) {
      depth -= 1;
      at += 1;
    } else at = depth === 0 ? skipWord(body, at) : at + 1;
  } while (depth > 0);
  return at;
}

function skipString(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length && body[at] !== code.quote) at += body[at] === code.backslash ? 2 : 1;
  return at + 1;
}

/** A number, true, false or null. */
function skipWord(body: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < body.length && !isSpace(body[at]) && body[at] !== code.comma && !isClosing(body[at])) at += 1;
  return at;
}

function skipSpace(body: Uint8Array, start: number): number {
  let at = start;
  while (isSpace(body[at])) at += 1;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** Also at the end: a body that breaks off is not JSON, and must not keep us here. */
function isClosing(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x5d || byte === 0x7d;
}
