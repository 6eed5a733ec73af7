import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { isKnownWord, maybe, openEnum, type UnknownWord } from '#shared/platform/fields/received.ts';

const words = ['ACTIVE', 'BLOCKED'] as const;
const status = openEnum(words);

describe('section 2.6: a received enum, which may have unknown words', () => {
  it.each(['ACTIVE', 'BLOCKED', 'NEW_WORD', '', 'active'])('accepts the word %j unchanged', (word) => {
    expect(status.parse(word)).toBe(word);
  });

  it.each([null, undefined, 1, true, ['ACTIVE'], {}])('refuses %j, which is no word', (value) => {
    expect(status.safeParse(value).success).toBe(false);
  });

  it('narrows the type to known words with isKnownWord', () => {
    const word = status.parse('ACTIVE');
    expectTypeOf(word).toEqualTypeOf<'ACTIVE' | 'BLOCKED' | UnknownWord>();
    expect(isKnownWord(words, word)).toBe(true);
    if (isKnownWord(words, word)) expectTypeOf(word).toExtend<'ACTIVE' | 'BLOCKED'>();
    for (const unknown of ['NEW_WORD', '', 'active', 'toString', '__proto__'])
      expect(isKnownWord(words, unknown)).toBe(false);
  });
});

describe('section 2.6: a received field, which no rule requires', () => {
  it.each([{}, { status: null }, { status: undefined }, { status: 'NEW' }])(
    'accepts a field that is missing or null: %j',
    (body) => {
      expect(z.object({ status: maybe(status) }).safeParse(body).success).toBe(true);
    },
  );
});
