import { describe, expect, it } from 'vitest';
import { checkEqual, checkNone, formatChecks } from '#sandbox/scenario/common/checks.ts';

describe('sandbox scenario: checks', () => {
  it('holds only when the found number is the expected one', () => {
    expect([
      checkEqual('events', 5, 5),
      checkEqual('events', 5, 4),
      checkNone('lost', 0),
      checkNone('lost', 1),
    ]).toEqual([
      { name: 'events', expected: 5, found: 5, holds: true },
      { name: 'events', expected: 5, found: 4, holds: false },
      { name: 'lost', expected: 0, found: 0, holds: true },
      { name: 'lost', expected: 0, found: 1, holds: false },
    ]);
  });

  it('formats a table that marks failed checks', () => {
    const table = formatChecks([checkEqual('events', 5, 5), checkNone('lost', 1)]);
    expect(table.split('\n').slice(2)).toEqual([
      'events          5       5       ok',
      'lost            0       1   FAILED',
    ]);
  });
});
