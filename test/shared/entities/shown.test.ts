import { describe, expect, it } from 'vitest';
import { entityRules } from '#shared/entities/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/event-place.ts';
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
  const [shown, ...others] = permutationsOf(lines).map((order) => shownAfter(kind, ...order));
  for (const other of others) expect(other).toEqual(shown);
  return shown;
}

describe('design, merging: of timed news, the latest is shown, to the nanosecond', () => {
  it.each([
    ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000000001Z'],
    ['2026-11-21T08:00:00.999999999Z', '2026-11-21T08:00:01Z'],
    ['2026-11-21T10:00:00+02:00', '2026-11-21T08:00:00.1Z'],
  ])('%s, then %s', (one, other) => {
    const shown = shownInAnyOrder('natural-person', { status: 'SUSPENDED', at: one }, { status: 'ACTIVE', at: other });
    expect(shown).toMatchObject({ status: 'ACTIVE', modifiedOn: other, toReadBack: false, anomalies: [] });
  });

  it('A, B and A again: of a person each is shown, and none is lost', () => {
    const lines = ['ACTIVE', 'SUSPENDED', 'ACTIVE'].map((status, at) => ({ status, at }));
    expect(shownOneByOne('natural-person', ...lines)).toEqual(['ACTIVE', 'SUSPENDED', 'ACTIVE']);
    expect(shownInAnyOrder('natural-person', ...lines)).toMatchObject({ status: 'ACTIVE', anomalies: [] });
  });
});

describe('design, merging: of one instant, the higher status is shown', () => {
  it.each(['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z', '2026-11-21T09:00:00+01:00'])('written as %s', (at) => {
    const shown = shownInAnyOrder('order', { status: 'FILLED', at: 0 }, { status: 'PENDING', at });
    expect(shown).toMatchObject({ status: 'FILLED', anomalies: [], toReadBack: false });
  });

  it('with the one way of writing it that is the same in every order', () => {
    const lines = ['2026-11-21T08:00:00Z', '2026-11-21T08:00:00.000Z'].map((at) => ({ status: 'FILLED', at }));
    expect(shownInAnyOrder('order', ...lines)?.modifiedOn).toBe('2026-11-21T08:00:00Z');
  });

  it('of two final ones too, and it is an anomaly', () => {
    const lines = ['REJECTED', 'SETTLED'].map((status) => ({ status, at: 1 }));
    expect(shownInAnyOrder('order', ...lines)).toMatchObject({
      status: 'SETTLED',
      anomalies: ['REJECTED and SETTLED'],
    });
  });
});

describe('design, merging: of timed and untimed news about an order or a transfer, the higher-ranked is shown', () => {
  it.each([
    ['order', 'PENDING', 'FILLED', 'FILLED', undefined],
    ['order', 'FILLED', 'PENDING', 'FILLED', '2026-11-21T08:00:01Z'],
    ['order', 'FILLED', 'SETTLED', 'SETTLED', undefined],
    ['order', 'FILLED', 'FILLED', 'FILLED', '2026-11-21T08:00:01Z'],
    ['transfer', 'PROCESSED', 'PENDING', 'PROCESSED', '2026-11-21T08:00:01Z'],
    ['transfer', 'PENDING', 'PROCESSED', 'PROCESSED', undefined],
  ] as const)('%s: %s timed, %s untimed: %s', (kind, timed, untimed, status, modifiedOn) => {
    expect(shownInAnyOrder(kind, { status: timed, at: 1 }, { status: untimed })).toMatchObject({
      status,
      modifiedOn,
      toReadBack: false,
    });
  });

  it('news that have no status change nothing', () => {
    expect(shownInAnyOrder('order', { at: 5 }, { status: 'PENDING', at: 1 }, {})).toMatchObject({
      status: 'PENDING',
      modifiedOn: '2026-11-21T08:00:01Z',
      toReadBack: false,
    });
  });
});

describe.each(['natural-person', 'identification-verification'] as const)(
  'design, merging: untimed news about a %s decide nothing, and mark it as to be read back',
  (kind) => {
    it.each([
      ['a status without a time', { status: 'PENDING', received: 3 }],
      ['a time without a status', { at: 9, received: 3 }],
      ['neither', { received: 3 }],
    ])('%s', (_, line) => {
      expect(shownInAnyOrder(kind, { status: 'RECEIVED', at: 1 }, line)).toMatchObject({
        status: 'RECEIVED',
        modifiedOn: '2026-11-21T08:00:01Z',
        toReadBack: true,
        heardOn: receivedAt(3),
      });
    });

    it('where nothing else is known there is no status', () => {
      expect(shownAfter(kind, { status: 'PENDING' })).toMatchObject({ status: undefined, toReadBack: true });
    });

    it('timed news do not take the mark away: they may be older', () => {
      expect(shownInAnyOrder(kind, { status: 'RECEIVED' }, { status: 'PENDING', at: 1 })?.toReadBack).toBe(true);
    });

    it("the platform's answer decides, and takes the mark away", () => {
      const lines = [{ status: 'RECEIVED', at: 1 }, { received: 3 }, { status: 'PENDING', at: 2, read: 1, answers: 3 }];
      expect(shownInAnyOrder(kind, ...lines)).toMatchObject({ status: 'PENDING', toReadBack: false });
    });

    it('an answer does not settle what was heard after we asked', () => {
      const lines = [{ received: 3 }, { received: 4 }, { status: 'PENDING', at: 2, read: 1, answers: 3 }];
      expect(shownInAnyOrder(kind, ...lines)?.toReadBack).toBe(true);
    });

    it('an answer without a time settles nothing', () => {
      const lines = [{ received: 3 }, { status: 'PENDING', read: 1, answers: 3 }];
      expect(shownInAnyOrder(kind, ...lines)).toMatchObject({ status: undefined, toReadBack: true });
    });

    it('an answer that is older than what is known does not change it', () => {
      const lines = [
        { status: 'PENDING', at: 2 },
        { status: 'RECEIVED', at: 1, read: 1 },
      ];
      expect(shownInAnyOrder(kind, ...lines)).toMatchObject({ status: 'PENDING', toReadBack: false });
    });

    it('the same untimed news again, after they were settled: A, B and A again is not lost', () => {
      const settled = [
        { status: 'PENDING', received: 3 },
        { status: 'PENDING', at: 2, read: 1, answers: 3 },
      ];
      expect(shownAfter(kind, ...settled)?.toReadBack).toBe(false);
      expect(shownInAnyOrder(kind, ...settled, { status: 'PENDING', received: 5 })?.toReadBack).toBe(true);
    });
  },
);

describe('design, merging: statuses of one instant that can follow each other either way are read back', () => {
  const tie = ['ACTIVE', 'SUSPENDED'].map((status) => ({ status, at: 1 }));

  it('until then the graver one is shown', () => {
    expect(shownInAnyOrder('natural-person', ...tie)).toMatchObject({
      status: 'SUSPENDED',
      toReadBack: true,
      anomalies: [],
    });
  });

  it.each(['ACTIVE', 'SUSPENDED'])('the answer %s of that instant decides', (status) => {
    const shown = shownInAnyOrder('natural-person', ...tie, { status, at: 1, read: 1 });
    expect(shown).toMatchObject({ status, modifiedOn: '2026-11-21T08:00:01Z', toReadBack: false });
  });

  it('of two answers, that to the later question', () => {
    const answers = ['SUSPENDED', 'ACTIVE'].map((status, read) => ({ status, at: 1, read }));
    expect(shownInAnyOrder('natural-person', ...tie, ...answers)).toMatchObject({ status: 'ACTIVE' });
  });

  it('later news decide, too', () => {
    const shown = shownInAnyOrder('natural-person', ...tie, { status: 'BLOCKED', at: 2 });
    expect(shown).toMatchObject({ status: 'BLOCKED', toReadBack: false });
  });

  it('a status that can only come before is not read back', () => {
    const shown = shownInAnyOrder('natural-person', { status: 'CREATED', at: 1 }, { status: 'ACTIVE', at: 1 });
    expect(shown).toMatchObject({ status: 'ACTIVE', toReadBack: false });
  });

  it('an answer of that instant does not overrule a final status', () => {
    const lines = [
      { status: 'DECEASED', at: 1 },
      { status: 'ACTIVE', at: 1, read: 1 },
    ];
    expect(shownInAnyOrder('natural-person', ...lines)).toMatchObject({ status: 'DECEASED', toReadBack: false });
  });

  it('a word that nobody knows is read back, whichever word of that instant it meets; alone it is not', () => {
    const word = { status: 'A_NEW_WORD', at: 1 };
    expect(shownAfter('natural-person', word)).toMatchObject({ status: 'A_NEW_WORD', toReadBack: false });
    const shown = shownInAnyOrder('natural-person', word, { status: 'ACTIVE', at: 1 });
    expect(shown).toMatchObject({ status: 'ACTIVE', toReadBack: true });
    expect(shownInAnyOrder('natural-person', word, { status: 'RECEIVED', at: 1 })).toMatchObject({
      status: 'A_NEW_WORD',
      toReadBack: true,
    });
  });
});

describe('issue 5: statuses that nobody has heard of yet are kept, shown and ranked', () => {
  it.each(entityKinds)('%s: timed, it is shown when it is the latest', (kind) => {
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

  it('dated after a final status, it is shown, and is an anomaly', () => {
    expect(shownInAnyOrder('order', { status: 'SETTLED', at: 1 }, { status: 'A_NEW_WORD', at: 2 })).toMatchObject({
      status: 'A_NEW_WORD',
      anomalies: ['SETTLED → A_NEW_WORD'],
    });
  });

  it('it has no transaction status', () => {
    expect(shownAfter('order', { status: 'A_NEW_WORD' }).transactionStatus).toBeUndefined();
  });
});
