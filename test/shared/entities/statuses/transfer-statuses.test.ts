import { describe, expect, it } from 'vitest';
import { transferStatuses } from '#shared/entities/statuses/entity-rules.ts';
import { type Line, shownAfter, shownOneByOne } from '#test/shared/entities/merge/histories.ts';

const endOf = (...lines: readonly Line[]) => shownAfter('transfer', ...lines);

const rows = [
  { from: '(none)', trigger: 'Create Transfer (outgoing)', to: 'RECEIVED' },
  { from: 'RECEIVED', trigger: 'balance sufficient', to: 'PENDING' },
  { from: 'PENDING', trigger: 'transfer completed', to: 'PROCESSED' },
  { from: 'RECEIVED', trigger: 'insufficient balance', to: 'REJECTED' },
  { from: '(none)', trigger: 'incoming payment notification', to: 'PROCESSED' },
];

describe.each(rows)('section 3.4, row $from, $trigger: $to', ({ from, to }) => {
  it('stands in the table of transfers', () => {
    expect(transferStatuses.table.transitions).toContainEqual(expect.objectContaining({ from, to }));
  });

  it.each([
    ['timed', [1, 2]],
    ['untimed', [undefined, undefined]],
    ['timed, the later one untimed', [1, undefined]],
    ['timed, the earlier one untimed', [undefined, 2]],
  ])('shows the status without an anomaly: %s', (_, [first, second]) => {
    const lines =
      from === '(none)'
        ? [{ status: to, at: second }]
        : [
            { status: from, at: first },
            { status: to, at: second },
          ];
    for (const order of [lines, lines.toReversed()])
      expect(endOf(...order)).toMatchObject({ status: to, anomalies: [] });
  });
});

describe('section 3.4, INVALID: failed validation', () => {
  it('comes after RECEIVED and is final', () => {
    expect(endOf({ status: 'RECEIVED', at: 1 }, { status: 'INVALID', at: 2 })).toMatchObject({
      status: 'INVALID',
      anomalies: [],
    });
    expect(transferStatuses.isFinal('INVALID')).toBe(true);
  });
});

describe('section 3.4, a transition that no row has', () => {
  it.each([
    ['PENDING', 'RECEIVED'],
    ['PENDING', 'REJECTED'],
    ['PENDING', 'INVALID'],
  ])('shows %s, then %s, without an anomaly', (from, to) => {
    expect(endOf({ status: from, at: 1 }, { status: to, at: 2 })).toMatchObject({ status: to, anomalies: [] });
  });
});

describe('section 3.4, leaving a final status', () => {
  it.each([
    ['PROCESSED', 'PENDING', 'PROCESSED → PENDING'],
    ['PROCESSED', 'REJECTED', 'REJECTED and PROCESSED'],
    ['REJECTED', 'PROCESSED', 'REJECTED and PROCESSED'],
    ['REJECTED', 'RECEIVED', 'REJECTED → RECEIVED'],
    ['INVALID', 'PROCESSED', 'INVALID and PROCESSED'],
  ])('keeps, shows and records %s, then %s, as an anomaly', (from, to, anomaly) => {
    expect(endOf({ status: from, at: 1 }, { status: to, at: 2 })).toMatchObject({ status: to, anomalies: [anomaly] });
  });
});

describe('section 3.4, the life cycles of a transfer', () => {
  it.each([[['RECEIVED', 'PENDING', 'PROCESSED']], [['RECEIVED', 'REJECTED']], [['PROCESSED']]])(
    'shows each status of %j in turn',
    (statuses) => {
      expect(shownOneByOne('transfer', ...statuses.map((status, at) => ({ status, at })))).toEqual(statuses);
    },
  );
});
