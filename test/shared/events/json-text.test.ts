import { inspect, isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { JsonTextError, maxDepth, parseJsonText } from '#shared/events/json-text.ts';
import { parseExactJson } from '#shared/platform/fields/parse-untrusted.ts';
import { size } from '#test/full-size.ts';
import { jsonObject, writeDifferently } from './json-writing.ts';

function parse(text: string) {
  return parseJsonText(Buffer.from(text));
}

function faultOf(bytes: Uint8Array | string): JsonTextError {
  try {
    parseJsonText(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
  throw new Error('It was read as JSON.');
}

function arrays(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function objects(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

describe('RFC 8785: what is said has one canonical form, however it is written', () => {
  it('sorts keys by UTF-16 code unit, and leaves out white space', () => {
    expect(parse('{ "\\u20ac": 1, "\\r": 2, "\\ufb33": 3, "1": 4, "\\ud83d\\ude00": 5, "\\u0080": 6 }').canonical).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
  });

  it.each([
    ['1', '1.0'],
    ['1', '10E-1'],
    ['1', '0.1e+1'],
    ['0.1', '0.10'],
    ['100', '1e2'],
    ['1e2', '1E+02'],
    ['0', '0.000'],
    ['0', '-0'],
    ['-1.5', '-15e-1'],
    ['1e21', '1000000000000000000000'],
    ['5e-324', '0.5e-323'],
    ['1.7976931348623157e308', '17976931348623157e292'],
    ['9007199254740992', '9007199254740992.0'],
    ['18014398509481984', '1.8014398509481984e16'],
  ])('takes the number %s for the number %s', (one, other) => {
    const form = parse(`{"n":${one}}`).canonical;
    expect(form).toBeDefined();
    expect(parse(`{"n":${other}}`).canonical).toBe(form);
  });

  it('takes an escaped character for the character', () => {
    expect(parse('{"\\u0061\\/":"\\u00e9\\ud83d\\ude00"}').canonical).toBe(parse('{"a/":"é😀"}').canonical);
  });

  it('does not normalize Unicode: what looks alike is not alike', () => {
    expect(parse('{"n":"\\u00e9"}').canonical).not.toBe(parse('{"n":"e\\u0301"}').canonical);
  });

  it('has the same canonical form for any object, written in any other way', () => {
    fc.assert(
      fc.property(jsonObject, fc.gen(), (value, choose) => {
        const form = parse(JSON.stringify(value)).canonical;
        expect(form).toBeDefined();
        expect(parse(writeDifferently(value, choose)).canonical).toBe(form);
      }),
    );
  });

  it('reads back as the value that was written', () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        const { canonical = '' } = parse(JSON.stringify(value));
        expect(isDeepStrictEqual(JSON.parse(canonical), JSON.parse(JSON.stringify(value)))).toBe(true);
      }),
    );
  });
});

describe('a text that its canonical form would mix up with another', () => {
  it.each([
    ['an integer beyond 2^53 that a double rounds', '{"n":9007199254740993}'],
    ['a long integer', '{"n":123456789012345678901234567890}'],
    ['a fraction with more digits than a double keeps', '{"n":0.1000000000000000055511151231257827}'],
    ['a number that overflows', '{"n":1e400}'],
    ['a million digits, most of them zeros', `{"n":0.1${'0'.repeat(1_000_000)}1}`],
    ['a negative number that overflows', '{"n":-1e400}'],
    ['a number that underflows to zero', '{"n":1e-400}'],
    ['a rounded number within an array', '{"n":[1,[9007199254740993]]}'],
    ['a key that stands twice', '{"a":1,"a":1}'],
    ['a key that stands twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a key that stands twice, deep down', '{"x":[{"y":{"a":1,"a":2}}]}'],
    ['__proto__ twice', '{"__proto__":1,"__proto__":2}'],
    ['half a surrogate pair', '{"s":"\\ud800"}'],
    ['the other half', '{"s":"\\udfff"}'],
    ['half a surrogate pair in a key', '{"\\ud800":1}'],
    ['half a surrogate pair within an array', '{"s":["\\ud800"]}'],
  ])('has no canonical form: %s', (_, text) => {
    const json = parse(text);
    expect(json.canonical).toBeUndefined();
    expect(isDeepStrictEqual(json.value, parseExactJson(text))).toBe(true);
  });

  it('checks numbers and not digits within strings', () => {
    expect(parse('{"n":"9007199254740993","1e400":"-1e400"}').canonical).toBeDefined();
  });

  it('checks members and not colons within strings', () => {
    expect(parse('{"a:b":"c:d","e\\":f":"\\\\"}').canonical).toBeDefined();
  });

  it('gives two texts one form only where they say the same', () => {
    const few = fc.constantFrom(
      '0',
      '-0',
      '1',
      '1.0',
      '9007199254740993',
      '9007199254740992',
      '1e400',
      '""',
      '"\\ud800"',
    );
    const member = fc
      .tuple(fc.constantFrom('"a"', '"\\u0061"', '"b"', '"__proto__"'), few)
      .map((pair) => pair.join(':'));
    const text = fc.array(member, { maxLength: 3 }).map((members) => `{${members.join()}}`);
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [first, second] = [parse(one), parse(other)];
        fc.pre(first.canonical !== undefined && second.canonical !== undefined);
        expect(first.canonical === second.canonical).toBe(sameJson(first.value, second.value));
      }),
      { numRuns: size(200, 1_000) },
    );
  });
});

/** Deep equality in which 0 is -0, as it is in RFC 8785. */
function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

describe('failure modes: __proto__ in a body', () => {
  it('is a key like any other', () => {
    expect(parse('{"__proto__":1}').canonical).toBe('{"__proto__":1}');
    expect(parse('{"__proto__":{"admin":true},"a":1}').canonical).toBe('{"__proto__":{"admin":true},"a":1}');
  });

  it('does not change the prototypes of objects', () => {
    const { value } = parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('admin' in {}).toBe(false);
  });
});

describe('failure modes: JSON nested too deep to be walked', () => {
  it('takes the greatest depth', () => {
    expect(parse(arrays(maxDepth)).canonical).toBe(arrays(maxDepth));
    expect(parse(objects(maxDepth)).canonical).toBe(objects(maxDepth));
  });

  it.each([
    ['arrays one deeper', arrays(maxDepth + 1)],
    ['objects one deeper', objects(maxDepth + 1)],
    ['both, one deeper in all', `{"a":[${arrays(maxDepth - 1)}]}`],
    ['the deep part last', `{"a":1,"b":[[]],"c":${arrays(maxDepth)}}`],
    ['100,000 objects', objects(100_000)],
    ['1,000,000 arrays that are never closed', '['.repeat(1_000_000)],
  ])('refuses %s as nested too deep', (_, text) => {
    expect(faultOf(text).reason).toBe('NESTED_TOO_DEEP');
  });

  it.each([
    ['brackets within strings', JSON.stringify({ a: '[{'.repeat(200) })],
    ['brackets within keys', JSON.stringify({ ['[{'.repeat(200)]: 1 })],
    ['brackets after an escaped quote', JSON.stringify({ a: `"${'[{"'.repeat(200)}` })],
    ['brackets after escaped backslashes', JSON.stringify({ a: `\\\\"${'[\\"'.repeat(200)}` })],
    ['brackets in a row', `[${'[],{},'.repeat(200)}[]]`],
  ])('does not count %s', (_, text) => {
    expect(parse(text).canonical).toBeDefined();
  });

  it('counts brackets after a string that ends with a backslash', () => {
    expect(faultOf(`["\\\\",${arrays(maxDepth)}]`).reason).toBe('NESTED_TOO_DEEP');
  });
});

describe('a text that is not JSON', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['text', 'hello'],
    ['JSON that breaks off', '{"a":'],
    ['a string that is never closed', '{"a":"'],
    ['a string that ends within an escape', '{"a":"\\'],
    ['two values', '{}{}'],
    ['a comma too many', '{"a":1,}'],
    ['a number with a leading zero', '{"a":01}'],
    ['a lonely minus', '{"a":-}'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{}//'],
    ['a raw control character', '{"a":"\u0000"}'],
    ['closing brackets only', ']'.repeat(100_000)],
    ['a second byte order mark', '\ufeff\ufeff{}'],
  ])('is refused as NOT_JSON: %s', (_, text) => {
    expect(faultOf(text).reason).toBe('NOT_JSON');
  });

  it.each([
    ['a byte that never stands in UTF-8', [0x22, 0xff, 0x22]],
    ['a sequence that breaks off', [0x22, 0xc3, 0x22]],
    ['an overlong sequence', [0x22, 0xc0, 0x80, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0x7b, 0x00, 0x7d, 0x00]],
  ])('is refused as NOT_JSON for its bytes: %s', (_, bytes) => {
    expect(faultOf(Uint8Array.from(bytes)).reason).toBe('NOT_JSON');
  });

  it('takes a byte order mark for none of the text, as RFC 8259 allows', () => {
    expect(parse('\ufeff{"a":1}').canonical).toBe('{"a":1}');
  });

  it('ends in a value or in a fault for any bytes', () => {
    const nearlyJson = fc
      .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', '-', '1', 'e9', '.', 'null', ' ', '\\u0061'))
      .map((parts) => Buffer.from(parts.join('')));
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.uint8Array()), (bytes) => {
        const outcome = outcomeOf(bytes);
        expect(outcome).toBe(isJson(bytes) ? 'value' : 'NOT_JSON');
      }),
      { numRuns: size(200, 1_000) },
    );
  });
});

function outcomeOf(bytes: Uint8Array): string {
  try {
    parseJsonText(bytes);
    return 'value';
  } catch (error) {
    return error instanceof JsonTextError ? error.reason : String(error);
  }
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

describe('promise 8: a fault carries nothing of the text', () => {
  const canary = 'Erika Mustermann';

  it.each([
    ['no JSON', `{"name":"${canary}"`],
    ['JSON with a word too many', `{"name": ${canary}}`],
    ['nested too deep', `{"name":"${canary}","a":${arrays(200)}}`],
    ['no UTF-8', Buffer.concat([Buffer.from(canary), Buffer.of(0xff)])],
  ])('names no content in the error for %s', (_, text) => {
    const error = faultOf(text);
    expect(error).toBeInstanceOf(DrawbridgeError);
    expect(error.name).toBe('JsonTextError');
    expect(error.cause).toBeUndefined();
    for (const shown of [error.message, error.stack, JSON.stringify(error), inspect(error, { showHidden: true })])
      expect(shown).not.toMatch(/Erika|Mustermann/);
  });
});
