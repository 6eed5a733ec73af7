import { describe, expect, it } from 'vitest';
import { createBoundedLog } from '#sandbox/platform/core/bounded-log.ts';

type Entry = { readonly number: number; readonly text: string };

function log({ maxEntries = 10, maxBytes = 100 } = {}) {
  return createBoundedLog<Entry>({ list: 'log', maxEntries, maxBytes, bytesOf: ({ text }) => text.length });
}

const numbersOf = (entries: ReturnType<typeof log>) =>
  entries.page({ limit: 100 }, () => true).data.map(({ number }) => number);

describe('bounded log', () => {
  it('lists the newest entries first, and drops the oldest above the maximum number', () => {
    const entries = log({ maxEntries: 3 });
    for (const text of 'abcde') entries.add((number) => ({ number, text }));
    expect(numbersOf(entries)).toEqual([5, 4, 3]);
    expect(entries.find(2)).toBeUndefined();
  });

  it('drops the oldest entries above the maximum size, even the one that is added', () => {
    const entries = log({ maxBytes: 5 });
    for (const text of ['aa', 'bb', 'cc']) entries.add((number) => ({ number, text }));
    expect(numbersOf(entries)).toEqual([3, 2]);
    entries.add((number) => ({ number, text: 'too large' }));
    expect(numbersOf(entries)).toEqual([]);
    entries.add((number) => ({ number, text: 'abcde' }));
    expect(numbersOf(entries)).toEqual([5]);
  });
});
