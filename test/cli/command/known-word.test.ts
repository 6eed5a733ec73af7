import { describe, expect, it } from 'vitest';
import { checkKnown, hintAt } from '#cli/command/known-word.ts';

const known = { what: 'status', words: ['PENDING', 'FILLED', 'SETTLED'] };

describe('cli: the hint at a word that is not known', () => {
  it.each(['FILED', 'filled', 'FILLDE'])('names FILLED for %s', (word) => {
    expect(hintAt(word, known)).toContain('Did you mean FILLED?');
  });

  it('names every known word where none is near', () => {
    expect(hintAt('X', known)).toContain('Known: PENDING, FILLED, SETTLED.');
  });

  it('is absent for a known word, and without a word', () => {
    expect([hintAt('SETTLED', known), hintAt(undefined, known)]).toEqual([undefined, undefined]);
  });

  it('becomes an error with the next command where no other word can occur', () => {
    expect(() => checkKnown('SETLED', known, 'drawbridge orders ls')).toThrow(/SETTLED\?\nNext: drawbridge orders ls/);
    expect(() => checkKnown('SETTLED', known, 'drawbridge orders ls')).not.toThrow();
  });
});
