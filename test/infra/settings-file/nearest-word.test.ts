import { expect, it } from 'vitest';
import { nearestWord } from '#infra/settings-file/nearest-word.ts';

const known = ['platform', 'eventRetentionDays', 'logRetentionDays', 'storeConcurrency'];

it.each([
  ['eventRetentionDay', 'eventRetentionDays'],
  ['logretentiondays', 'logRetentionDays'],
  ['plattform', 'platform'],
  ['storeConcurency', 'storeConcurrency'],
])('finds for %s the known word %s', (word, nearest) => {
  expect(nearestWord(word, known)).toBe(nearest);
});

it.each(['retention', 'x', ''])('finds no word that is like "%s"', (word) => {
  expect(nearestWord(word, known)).toBeUndefined();
});
