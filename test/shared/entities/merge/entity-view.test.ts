import { describe, expect, it } from 'vitest';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import {
  type Line,
  modifiedAt,
  permutationsOf,
  receivedAt,
  shownAfter,
  shownOneByOne,
  statusesOfKind,
} from './histories.ts';

/** The same in every order in which they can come. */
function shownInAnyOrder(kind: EntityKind, ...lines: readonly Line[]) {
  const [view, ...others] = permutationsOf(lines).map((order) => shownAfter(kind, ...order));
  for (const other of others) expect(other).toEqual(view);
  return view;
}

describe('the view of timed reports', () => {
  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000000001Z'],
    ['2026-11-21T08:00:00.999999999Z', '2026-11-21T08:00:01Z'],
    ['2026-11-21T10:00:00+02:00', '2026-11-21T08:00:00.1Z'],
  ])('shows the later of two reports to the nanosecond: %s, then %s', (one, other) => {
    const view = shownInAnyOrder('natural-person', { status: 'SUSPENDED', at: one }, { status: 'ACTIVE', at: other });
    expect(view).toMatchObject({ status: 'ACTIVE', modifiedOn: other, toReadBack: false, anomalies: [] });
  });

  it('shows every status of a person that goes from A to B and back to A', () => {
    const lines = ['ACTIVE', 'SUSPENDED', 'ACTIVE'].map((status, at) => ({ status, at }));
    expect(shownOneByOne('natural-person', ...lines)).toEqual(['ACTIVE', 'SUSPENDED', 'ACTIVE']);
    expect(shownInAnyOrder('natural-person', ...lines)).toMatchObject({ status: 'ACTIVE', anomalies: [] });
  });

  it('has the codes of the status that it shows, and of no other', () => {
    const suspended = { status: 'SUSPENDED', at: 1, codes: ['DOCUMENT_EXPIRED'] };
    expect(shownInAnyOrder('natural-person', suspended, { ...suspended, codes: ['AGE'] })?.reasonCodes).toEqual([
      'AGE',
      'DOCUMENT_EXPIRED',
    ]);
    const active = { status: 'ACTIVE', at: 2 };
    expect(shownInAnyOrder('natural-person', suspended, active)?.reasonCodes).toBeUndefined();
  });
});

describe('the view of two timed reports of one instant', () => {
  it.each(['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z', '2026-11-21T09:00:00+01:00'])(
    'compares the instants of times written as %s',
    (at) => {
      const view = shownInAnyOrder('order', { status: 'FILLED', at: 0 }, { status: 'PENDING', at });
      expect(view).toMatchObject({ status: 'FILLED', anomalies: [], toReadBack: false });
    },
  );

  it('shows the one way of writing the time that is the same in every order', () => {
    const lines = ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z'].map((at) => ({ status: 'FILLED', at }));
    expect(shownInAnyOrder('order', ...lines)?.modifiedOn).toBe('2026-11-21T08:00:00Z');
  });

  it('shows the higher of two final statuses and records an anomaly', () => {
    const lines = ['REJECTED', 'SETTLED'].map((status) => ({ status, at: 1 }));
    expect(shownInAnyOrder('order', ...lines)).toMatchObject({
      status: 'SETTLED',
      anomalies: ['REJECTED and SETTLED'],
    });
  });
});

describe('the view of timed and untimed reports about an order or a transfer', () => {
  it.each([
    ['order', 'PENDING', 'FILLED', 'FILLED', undefined],
    ['order', 'FILLED', 'PENDING', 'FILLED', '2026-11-21T08:00:01Z'],
    ['order', 'FILLED', 'SETTLED', 'SETTLED', undefined],
    ['order', 'FILLED', 'FILLED', 'FILLED', '2026-11-21T08:00:01Z'],
    ['transfer', 'PROCESSED', 'PENDING', 'PROCESSED', '2026-11-21T08:00:01Z'],
    ['transfer', 'PENDING', 'PROCESSED', 'PROCESSED', undefined],
  ] as const)(
    'shows the higher-ranked status of a %s: %s timed, %s untimed: %s',
    (kind, timed, untimed, status, modifiedOn) => {
      expect(shownInAnyOrder(kind, { status: timed, at: 1 }, { status: untimed })).toMatchObject({
        status,
        modifiedOn,
        toReadBack: false,
      });
    },
  );

  it('stays the same after a report without a status', () => {
    expect(shownInAnyOrder('order', { at: 5 }, { status: 'PENDING', at: 1 }, {})).toMatchObject({
      status: 'PENDING',
      modifiedOn: '2026-11-21T08:00:01Z',
      toReadBack: false,
    });
  });
});

describe.each(['natural-person', 'identification-verification'] as const)(
  'untimed reports about a %s decide nothing and mark it to be read back',
  (kind) => {
    it.each([
      ['a status without a time', { status: 'PENDING', received: 3 }],
      ['a time without a status', { at: 9, received: 3 }],
      ['neither', { received: 3 }],
    ])('marks the entity after %s', (_, line) => {
      expect(shownInAnyOrder(kind, { status: 'RECEIVED', at: 1 }, line)).toMatchObject({
        status: 'RECEIVED',
        modifiedOn: '2026-11-21T08:00:01Z',
        toReadBack: true,
        openReportOn: receivedAt(3),
      });
    });

    it('marks nothing when no report is about the entity', () => {
      expect(shownAfter(kind)).toMatchObject({ status: undefined, toReadBack: false });
    });

    it('shows no status while nothing else is known', () => {
      expect(shownAfter(kind, { status: 'PENDING' })).toMatchObject({ status: undefined, toReadBack: true });
    });

    it('keeps the mark after a timed report, which may be older', () => {
      expect(shownInAnyOrder(kind, { status: 'RECEIVED' }, { status: 'PENDING', at: 1 })?.toReadBack).toBe(true);
    });

    it("shows the platform's answer and removes the mark", () => {
      const lines = [{ status: 'RECEIVED', at: 1 }, { received: 3 }, { status: 'PENDING', at: 2, read: 1, answers: 3 }];
      expect(shownInAnyOrder(kind, ...lines)).toMatchObject({ status: 'PENDING', toReadBack: false });
    });

    it('keeps the mark for a report that came after the read', () => {
      const lines = [{ received: 3 }, { received: 4 }, { status: 'PENDING', at: 2, read: 1, answers: 3 }];
      expect(shownInAnyOrder(kind, ...lines)?.toReadBack).toBe(true);
    });

    it('settles nothing by an answer without a time', () => {
      const lines = [{ received: 3 }, { status: 'PENDING', read: 1, answers: 3 }];
      expect(shownInAnyOrder(kind, ...lines)).toMatchObject({ status: undefined, toReadBack: true });
    });

    it('keeps the view when the answer is older', () => {
      const lines = [
        { status: 'PENDING', at: 2 },
        { status: 'RECEIVED', at: 1, read: 1 },
      ];
      expect(shownInAnyOrder(kind, ...lines)).toMatchObject({ status: 'PENDING', toReadBack: false });
    });

    it('marks the entity again after the same untimed report comes again', () => {
      const settled = [
        { status: 'PENDING', received: 3 },
        { status: 'PENDING', at: 2, read: 1, answers: 3 },
      ];
      expect(shownAfter(kind, ...settled)?.toReadBack).toBe(false);
      expect(shownInAnyOrder(kind, ...settled, { status: 'PENDING', received: 5 })?.toReadBack).toBe(true);
    });
  },
);

describe('a pair of statuses of one instant that can follow each other either way', () => {
  const tie = ['ACTIVE', 'SUSPENDED'].map((status) => ({ status, at: 1 }));

  it('shows the graver one until the entity is read back', () => {
    expect(shownInAnyOrder('natural-person', ...tie)).toMatchObject({
      status: 'SUSPENDED',
      toReadBack: true,
      anomalies: [],
    });
  });

  it.each(['ACTIVE', 'SUSPENDED'])('shows the answer %s of that instant', (status) => {
    const view = shownInAnyOrder('natural-person', ...tie, { status, at: 1, read: 1 });
    expect(view).toMatchObject({ status, modifiedOn: '2026-11-21T08:00:01Z', toReadBack: false });
  });

  it('shows the answer to the later of two reads', () => {
    const answers = ['SUSPENDED', 'ACTIVE'].map((status, read) => ({ status, at: 1, read }));
    expect(shownInAnyOrder('natural-person', ...tie, ...answers)).toMatchObject({ status: 'ACTIVE' });
  });

  it.each([undefined, 'ACTIVE', 'SUSPENDED'])(
    'gives way to a later report, after the answer %s of that instant',
    (status) => {
      const answers = status === undefined ? [] : [{ status, at: 1, read: 1 }];
      const view = shownInAnyOrder('natural-person', ...tie, ...answers, { status: 'BLOCKED', at: 2 });
      expect(view).toMatchObject({ status: 'BLOCKED', toReadBack: false });
    },
  );

  it('reads nothing back when one status can only come before the other', () => {
    const view = shownInAnyOrder('natural-person', { status: 'CREATED', at: 1 }, { status: 'ACTIVE', at: 1 });
    expect(view).toMatchObject({ status: 'ACTIVE', toReadBack: false });
  });

  it('keeps a final status against an answer of that instant', () => {
    const lines = [
      { status: 'DECEASED', at: 1 },
      { status: 'ACTIVE', at: 1, read: 1 },
    ];
    expect(shownInAnyOrder('natural-person', ...lines)).toMatchObject({ status: 'DECEASED', toReadBack: false });
  });

  it('reads an unknown word back when it meets another word of that instant', () => {
    const word = { status: 'A_NEW_WORD', at: 1 };
    expect(shownAfter('natural-person', word)).toMatchObject({ status: 'A_NEW_WORD', toReadBack: false });
    const view = shownInAnyOrder('natural-person', word, { status: 'ACTIVE', at: 1 });
    expect(view).toMatchObject({ status: 'ACTIVE', toReadBack: true });
    expect(shownInAnyOrder('natural-person', word, { status: 'RECEIVED', at: 1 })).toMatchObject({
      status: 'A_NEW_WORD',
      toReadBack: true,
    });
  });
});

describe('statuses that the tables do not know', () => {
  it.each(entityKinds)('shows an unknown status of a %s when it is timed and the latest', (kind) => {
    expect(shownInAnyOrder(kind, { status: 'RECEIVED', at: 1 }, { status: 'A_NEW_WORD', at: 2 })).toMatchObject({
      status: 'A_NEW_WORD',
      anomalies: [],
    });
  });

  it.each([undefined, 1])('shows every known status that can follow instead of an unknown one, both at %s', (at) => {
    for (const kind of entityKinds.filter((one) => at !== undefined || !entityRules[one].readsBack))
      for (const status of statusesOfKind(kind).filter((one) => one !== 'RECEIVED'))
        expect(shownInAnyOrder(kind, { status: 'A_NEW_WORD', at }, { status, at }), status).toMatchObject({
          status,
          anomalies: [],
        });
  });

  it('reads no order and no transfer back because of an unknown status with the same modifiedOn', () => {
    for (const kind of ['order', 'transfer'] as const)
      expect(shownInAnyOrder(kind, { status: 'A_NEW_WORD', at: 1 }, { status: 'PENDING', at: 1 })).toMatchObject({
        toReadBack: false,
      });
  });

  it('shows a kept unknown status instead of one with the same modifiedOn for which there is no room', () => {
    const lines = Array.from({ length: 12 }, (_, index) => ({ status: `W${String(index).padStart(2, '0')}`, at: 1 }));
    for (const order of [lines, lines.toReversed()]) expect(shownAfter('order', ...order).status).toBe('W07');
  });

  it.each([undefined, 1])('shows an unknown status instead of RECEIVED, which nothing precedes, both at %s', (at) => {
    for (const kind of ['order', 'transfer'] as const)
      expect(shownInAnyOrder(kind, { status: 'A_NEW_WORD', at }, { status: 'RECEIVED', at })?.status).toBe(
        'A_NEW_WORD',
      );
  });

  it.each([undefined, 1])('shows, of three unknown statuses at %s, the one that was first received last', (at) => {
    const lines = [
      { status: 'ZZZ_NEW_WORD', at, received: 1 },
      { status: 'A_NEW_WORD', at, received: 3 },
      { status: 'M_NEW_WORD', at, received: 2 },
      { status: 'M_NEW_WORD', at, received: 9 },
      { status: 'ZZZ_NEW_WORD', at, received: 8 },
    ];
    expect(shownInAnyOrder('order', ...lines)?.status).toBe('A_NEW_WORD');
  });

  it('takes the earliest of several receipts for the first one, although it arrives last', () => {
    const lines = [
      { status: 'A_NEW_WORD', received: 5 },
      { status: 'B_NEW_WORD', received: 4 },
    ];
    expect(shownInAnyOrder('order', ...lines)?.status).toBe('A_NEW_WORD');
    expect(shownInAnyOrder('order', ...lines, { status: 'A_NEW_WORD', received: 3 })?.status).toBe('B_NEW_WORD');
  });

  it('shows, of unknown statuses with distinct times, the latest, whenever each was received', () => {
    const lines = [
      { status: 'A_NEW_WORD', at: 2, received: 1 },
      { status: 'B_NEW_WORD', at: 1, received: 9 },
    ];
    expect(shownInAnyOrder('order', ...lines)).toMatchObject({ status: 'A_NEW_WORD', modifiedOn: modifiedAt(2) });
  });

  it('shows FILLED, published with its transaction status, after an unknown status without a time', () => {
    const lines = ['RECEIVED', 'SOMETHING_NEW', 'FILLED'].map((status, received) => ({ status, received }));
    expect(shownOneByOne('order', ...lines)).toEqual(['RECEIVED', 'SOMETHING_NEW', 'FILLED']);
    expect(shownInAnyOrder('order', ...lines)).toMatchObject({ status: 'FILLED', transactionStatus: 'COMPLETED' });
  });

  it('keeps FILLED when an unknown status without a time follows', () => {
    for (const at of [undefined, 1])
      expect(
        shownInAnyOrder('order', { status: 'FILLED', at, received: 1 }, { status: 'A_NEW_WORD', received: 2 })?.status,
      ).toBe('FILLED');
  });

  it('shows a later unknown status although an untimed report repeats an earlier known one', () => {
    const lines = [
      { status: 'FILLED', at: 1 },
      { status: 'A_NEW_WORD', at: 2 },
    ];
    for (const status of ['PENDING', 'FILLED'])
      expect(shownInAnyOrder('order', ...lines, { status })).toMatchObject({
        status: 'A_NEW_WORD',
        modifiedOn: modifiedAt(2),
      });
    expect(shownInAnyOrder('order', ...lines, { status: 'SETTLED' })?.status).toBe('SETTLED');
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('takes %s for an unknown status like any other', (status) => {
    for (const at of [undefined, 1])
      expect(
        shownInAnyOrder('order', { status, at, received: 2 }, { status: 'A_NEW_WORD', at, received: 1 })?.status,
      ).toBe(status);
  });

  it('shows an unknown status that is dated after a final one and records an anomaly', () => {
    expect(shownInAnyOrder('order', { status: 'SETTLED', at: 1 }, { status: 'A_NEW_WORD', at: 2 })).toMatchObject({
      status: 'A_NEW_WORD',
      anomalies: ['SETTLED → A_NEW_WORD'],
    });
  });

  it('has no transaction status for an unknown status', () => {
    expect(shownAfter('order', { status: 'A_NEW_WORD' }).transactionStatus).toBeUndefined();
  });
});

describe('the view of a status that was declared when it was received, and is declared no longer', () => {
  it('ranks below an unknown status that has a first receipt', () => {
    const known = {
      seen: { A_NEW_WORD: [modifiedAt(1)], NO_LONGER_DECLARED: [] },
      firstReceivedOn: { A_NEW_WORD: receivedAt(1) },
    };
    expect(viewOf(entityRules.order, known)).toMatchObject({ status: 'A_NEW_WORD', modifiedOn: modifiedAt(1) });
  });
});
