import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { isKnownWord, maybe, openEnum, type UnknownWord } from '#shared/platform/fields/open-enum.ts';

const words = ['ACTIVE', 'BLOCKED'] as const;
const status = openEnum(words);

describe('section 2.6, failure modes: an enum that is received may have words that are not known', () => {
  it.each(['ACTIVE', 'BLOCKED', 'NEW_WORD', '', 'active'])('%j is accepted as it is', (word) => {
    expect(status.parse(word)).toBe(word);
  });

  it.each([null, undefined, 1, true, ['ACTIVE'], {}])('%j is no word', (value) => {
    expect(status.safeParse(value).success).toBe(false);
  });

  it('isKnownWord tells them apart, and narrows the type', () => {
    const word = status.parse('ACTIVE');
    expectTypeOf(word).toEqualTypeOf<'ACTIVE' | 'BLOCKED' | UnknownWord>();
    expect(isKnownWord(words, word)).toBe(true);
    if (isKnownWord(words, word)) expectTypeOf(word).toExtend<'ACTIVE' | 'BLOCKED'>();
    for (const unknown of ['NEW_WORD', '', 'active', 'toString', '__proto__'])
      expect(isKnownWord(words, unknown)).toBe(false);
  });
});

describe('section 2.6: required or optional flags are not shown. A field that is received', () => {
  it.each([{}, { status: null }, { status: undefined }, { status: 'NEW' }])('may be missing, or null: %j', (body) => {
    expect(z.object({ status: maybe(status) }).safeParse(body).success).toBe(true);
  });
});
