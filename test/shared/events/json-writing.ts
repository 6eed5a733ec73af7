import fc from 'fast-check';
import { anyCharacter } from '#test/any-character.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Keys that have bitten others, and ordinary ones. */
const jsonKey = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'toJSON', 'hasOwnProperty', 'length', '0', '10', '9', ''),
);

/** JSON objects of any content: all of Unicode, all doubles, keys that look like prototypes. */
export const jsonObject = fc.letrec<{ json: Json; object: { readonly [key: string]: Json } }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(
      fc.constant(null),
      fc.boolean(),
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(jsonKey, tie('json'), { maxKeys: 5 }),
})).object;

const whitespace = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });

/** Writes a JSON value as another program could: other order of keys, white space, escapes and forms of numbers. */
export function writeDifferently(value: Json, choose: fc.GeneratorValue): string {
  const space = () => choose(() => whitespace);
  const text = (word: string) => `"${[...word].map(character).join('')}"`;

  function character(one: string): string {
    const escaped = [...new Array(one.length).keys()].map(
      (at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, '0')}`,
    );
    return choose(() => fc.constantFrom(JSON.stringify(one).slice(1, -1), escaped.join('')));
  }

  function number(one: number): string {
    const plain = JSON.stringify(one);
    const point = /^-?[1-9]\d*$/.test(plain) ? [`${plain}.0`, `${plain}.000`, `${plain}e0`, `${plain}0E-1`] : [];
    return choose(() => fc.constantFrom(plain, one.toExponential().replace('e', 'E'), ...point));
  }

  function write(one: Json): string {
    if (typeof one === 'string') return text(one);
    if (typeof one === 'number') return number(one);
    if (typeof one !== 'object' || one === null) return JSON.stringify(one);
    if (isArray(one)) return `[${one.map((item) => `${space()}${write(item)}${space()}`).join(',') || space()}]`;
    const members = Object.entries(one).map(
      ([key, member]) => `${space()}${text(key)}${space()}:${space()}${write(member)}${space()}`,
    );
    const shuffled = choose(() => fc.shuffledSubarray(members, { minLength: members.length }));
    return `{${shuffled.join(',') || space()}}`;
  }

  return `${space()}${write(value)}${space()}`;
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
