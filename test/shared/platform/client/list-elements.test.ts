import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listElements } from '#shared/platform/client/list-elements.ts';

function elementsOf(body: string): readonly string[] {
  return listElements(Buffer.from(body)).map((bytes) => Buffer.from(bytes).toString());
}

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });

/** The text of some JSON value, written in one of many ways. */
const element = fc.oneof(
  fc.json(),
  fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  fc.constantFrom('12345678901234567890', '1e400', '-0', '{"a":1,"a":2}', '"\\u0064\\"]}"', '[[],{}]', '{ }', '[ ]'),
);

/** A list with the space that JSON allows between all its parts. */
const list = fc.array(fc.tuple(space, element, space), { maxLength: 6 }).map((parts) => ({
  elements: parts.map(([, text]) => text),
  text: `[${parts.map(([before, text, after]) => `${before}${text}${after}`).join(',')}]`,
}));

describe('section 2.3: the elements of a page as bytes', () => {
  it('yields the elements of a bare array', () => {
    fc.assert(
      fc.property(space, list, space, (before, { elements, text }, after) => {
        expect(elementsOf(`${before}${text}${after}`)).toEqual(elements);
      }),
    );
  });

  it('yields the elements of `data` at any place among other fields', () => {
    const key = fc.constantFrom('"pagination"', '"dat"', '"data "', '"a\\"b"', '""');
    const members = fc.array(fc.tuple(key, element), { maxLength: 3 });
    const data = fc.constantFrom('"data"', '"\\u0064ata"');
    fc.assert(
      fc.property(members, data, list, members, space, (before, name, { elements, text }, after, gap) => {
        const all = [...before, [name, text], ...after].map(
          ([one, value]) => `${gap}${one}${gap}:${gap}${value}${gap}`,
        );
        expect(elementsOf(`{${all.join(',')}}`)).toEqual(elements);
      }),
    );
  });

  it('yields the elements of the last `data`, as JSON.parse does', () => {
    const body = '{"data":[1],"x":{"data":[2]},"data":[3, 4]}';
    expect(elementsOf(body)).toEqual(['3', '4']);
    expect(JSON.parse(body).data).toEqual([3, 4]);
  });

  it('yields an element at any depth of nesting', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(elementsOf(`{"data":[1,${deep},2]}`)).toEqual(['1', deep, '2']);
  });

  it('yields elements after a byte order mark, and with multi-byte characters', () => {
    expect(elementsOf('\ufeff{"é":"]","data":["é","\u{1f600}"]}')).toEqual(['"é"', '"\u{1f600}"']);
  });

  // Each has 1 MB: a step for each pair of its characters would take longer than a test may.
  it.each([
    ['brackets that open and close', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['escaped quotes', `"${'\\"'.repeat(500_000)}"`],
    ['backslashes', `"${'\\\\'.repeat(500_000)}"`],
    ['spaces', `[${' '.repeat(1_000_000)}]`],
    ['one key repeatedly', `{${'"data":[1],'.repeat(90_000)}"data":[]}`],
  ])('yields a hostile element of 1 MB in linear time (promise 10): %s', (_, hostile) => {
    expect(elementsOf(`{"x":${hostile},"data":[1,${hostile}]}`)).toEqual(['1', hostile]);
  });

  it('yields many elements of the last of many lists in linear time (promise 10)', () => {
    const elements = Array.from({ length: 100_000 }, () => '1');
    expect(elementsOf(`{${'"data":[2],'.repeat(90_000)}"data":[${elements.join(',')}]}`)).toEqual(elements);
  });

  it('yields nothing without a list', () => {
    for (const body of ['{}', '[]', '{"data":{}}', '{"data":[]}', '{"pagination":{"data":[1]}}']) {
      expect(elementsOf(body)).toEqual([]);
    }
  });

  it('ends at any text that is not JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((text) => Buffer.from(text.slice(0, -1))),
        ),
        (bytes) => {
          try {
            listElements(bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(SyntaxError);
          }
        },
      ),
    );
  });
});
