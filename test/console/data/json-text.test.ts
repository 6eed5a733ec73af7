import { expect, it } from 'vitest';
import { readJson, writeJson } from '#console/data/json-text.ts';

it.each([
  [
    '{"a":12345678901234567890,"b":[1.50,{}],"c":[]}',
    '{\n  "a": 12345678901234567890,\n  "b": [\n    1.50,\n    {}\n  ],\n  "c": []\n}',
  ],
  ['"é\\n"', '"é\\n"'],
  ['no JSON', undefined],
])('shows each digit of a JSON text, with a member on each line: %s', (text, expected) => {
  const value = readJson(text);
  expect(value === undefined ? undefined : writeJson(value)).toBe(expected);
});
