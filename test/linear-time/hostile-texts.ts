/** A kind of text that takes long to read for who reads it more than once. */
export type HostileText = {
  readonly name: string;
  /** @param size in characters, about */
  readonly make: (size: number) => string;
};

function repeated(name: string, part: string, before = '', after = ''): HostileText {
  return { name, make: (size) => `${before}${part.repeat(Math.ceil(size / part.length))}${after}` };
}

/** A list or an object that is whole. */
function listed(name: string, elementOf: (index: number) => string, [open, close] = '[]'): HostileText {
  return {
    name,
    make: (size) => {
      const width = elementOf(1_000).length + 1;
      const elements = Array.from({ length: Math.ceil(size / width) }, (_, index) => elementOf(index));
      return `${open}${elements.join(',')}${close}`;
    },
  };
}

const uuidOf = (index: number) => `0f8fad5b-d9cb-469f-a165-${String(index).padStart(12, '0')}`;

/** A text in a text in a text, each quote of them escaped so that each level adds five characters alone. */
function textInText(size: number): string {
  const levels = Math.floor(Math.sqrt(size / 6));
  const quoteAt = (level: number) => (level === 0 ? '"' : `\\${'u005c'.repeat(level - 1)}u0022`);
  const opening = Array.from({ length: levels }, (_, level) => `[${quoteAt(level)}`).join('');
  const closing = Array.from({ length: levels }, (_, level) => `${quoteAt(levels - 1 - level)}]`).join('');
  return `${opening}${closing}`;
}

export const hostileTexts: readonly HostileText[] = [
  repeated('spaces', ' '),
  repeated('spaces within a text', ' ', '{"a":"', '"}'),
  repeated('spaces after the name of an id', ' ', '{"naturalPersonId"', 'x'),
  repeated('spaces before each colon', `"personId"${' '.repeat(500)}:${' '.repeat(500)}`),
  repeated('escaped line breaks', '\\n', '"personId":', ':'),
  repeated('quotes', '"'),
  repeated('backslashes', '\\', '{"externalId":"', '"}'),
  repeated('escaped quotes', '\\"', '{"externalId":"', '"}'),
  repeated('names without a value', '"a":'),
  repeated('externalIds that never end', '"externalId":"'),
  repeated('externalIds in texts of texts', '"externalId":"\\"externalId\\":\\"\\\\\\"externalId\\\\\\":\\\\\\"'),
  repeated('colons after quotes', '":'),
  repeated('brackets that open', '['),
  repeated('braces that open', '{"a":'),
  { name: 'brackets that open and close', make: (size) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}` },
  { name: 'texts in texts', make: textInText },
  listed('one key repeatedly', (index) => `"data":[${index}]`, '{}'),
  listed('different keys', (index) => `"k${index}":"externalId"`, '{}'),
  listed('keys that are numbers', (index) => `"${index * 7_919}":1`, '{}'),
  listed(
    'cursors and error details',
    (index) => `"errorDetails":[{"field":"a${index}"}],"pagination":{"cursor":"c"}`,
    '{}',
  ),
  listed('error details', (index) => `{"field":7,"errors":[{"code":${index}}]}`),
  listed('numbers', () => '1'),
  listed('numbers with zeros in the middle', () => `1${'0'.repeat(900)}1`),
  repeated('digits of one number', '7', '{"a":', '}'),
  listed('UUIDs', (index) => `"${uuidOf(index)}"`),
  listed('one UUID', () => `"${uuidOf(1)}"`),
  repeated('hex digits', 'deadbeef'),
  repeated('hex digits and dashes', 'deadbeef-0000-0000-0000-'),
  repeated('a text that never ends', 'x', '{"a":"'),
  repeated('halves of surrogate pairs', '\\ud800', '{"externalId":"', '"}'),
  repeated('characters of four bytes', '😀', '{"externalId":"', '"}'),
  {
    name: 'combining marks in the wrong order',
    make: (size) => `{"firstName":"a${'\u0301'.repeat(size / 2)}${'\u0323'.repeat(size / 2)}"}`,
  },
];

function named(...names: readonly string[]): readonly HostileText[] {
  const texts = hostileTexts.filter(({ name }) => names.includes(name));
  if (texts.length < names.length) throw new Error(`Not all of these are hostile texts: ${names.join(', ')}.`);
  return texts;
}

/** What each kind of reader is given: the texts that are hostile to what it does. */
export const textsFor = {
  scanner: hostileTexts,
  document: named(
    'brackets that open and close',
    'one key repeatedly',
    'different keys',
    'cursors and error details',
    'error details',
    'halves of surrogate pairs',
  ),
  field: named(
    'spaces',
    'quotes',
    'backslashes',
    'numbers with zeros in the middle',
    'hex digits',
    'hex digits and dashes',
    'characters of four bytes',
    'combining marks in the wrong order',
  ),
} as const;

/** What each kind of reader is given with 10 MB. */
export const largestTextsFor = {
  scanner: named('spaces before each colon'),
  document: named('one key repeatedly'),
  field: named('hex digits'),
} as const;
