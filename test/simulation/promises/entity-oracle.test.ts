import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '#sandbox/platform/core/random.ts';
import {
  type EntityState,
  emptyEntityState,
  entityStateOf,
  mergeEntityStates,
} from '#shared/entities/merge/entity-state.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';
import { expectedTransactionStatus, expectedView, type PlatformState } from './entity-oracle.ts';

type Reported = readonly [status: string, modifiedOn?: string];

/** States in the order of the platform, each received a second after the one before. */
function statesOf(...states: readonly Reported[]): readonly PlatformState[] {
  return states.map(([status, modifiedOn], index) => {
    const receivedOn = `2026-01-02T03:04:0${index}.000Z`;
    return { status, modifiedOn, firstReceivedOn: receivedOn, lastReceivedOn: receivedOn };
  });
}

const [early, late] = ['2026-01-02T03:00:00.000000001Z', '2026-01-02T03:00:00.000000002Z'];

const words: Readonly<Record<EntityKind, readonly string[]>> = {
  'natural-person': ['CREATED', 'ACTIVE', 'BLOCKED', 'INVALID', 'DECEASED', 'NEW', 'ANOTHER'],
  'identification-verification': ['RECEIVED', 'PENDING', 'APPROVED', 'NEW', 'ANOTHER'],
  order: ['RECEIVED', 'PENDING', 'FILLED', 'CORRECTED', 'SETTLED', 'REJECTED', 'NEW', 'ANOTHER'],
  transfer: ['RECEIVED', 'PENDING', 'PROCESSED', 'REJECTED', 'NEW', 'ANOTHER'],
};

/** Up to five reports, with times and without, most of which contradict the specification. */
function randomStates(kind: EntityKind, random: () => number): readonly PlatformState[] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const untimed = pick([0, 0.4, 1]);
  let time = 1;
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    if (random() < 0.7) time += 1;
    const receivedOn = `2026-01-02T03:04:0${Math.floor(random() * 10)}.000Z`;
    const modifiedOn = random() < untimed ? undefined : `2026-01-02T03:00:00.00000000${time}Z`;
    return { status: pick(words[kind]), modifiedOn, firstReceivedOn: receivedOn, lastReceivedOn: receivedOn };
  });
}

function shuffle<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

function mergedView(kind: EntityKind, states: readonly PlatformState[]) {
  const rules = entityRules[kind];
  const merge = (known: EntityState, { status, modifiedOn, lastReceivedOn: receivedOn }: PlatformState) => {
    const report = { status, ...(modifiedOn !== undefined && { modifiedOn }) };
    return mergeEntityStates(rules, known, entityStateOf(rules, { report, receivedOn }));
  };
  return viewOf(rules, states.reduce(merge, emptyEntityState));
}

describe('the oracle for entities', () => {
  it('expects the last known status of an order, regardless of an earlier unknown status', () => {
    expect(expectedView('order', statesOf(['PENDING'], ['NEW'], ['FILLED'])).statuses).toEqual(['FILLED']);
    expect(expectedView('order', statesOf(['NEW', early], ['FILLED', early])).statuses).toEqual(['FILLED']);
  });

  it('expects an unknown status without a time only when no known status can follow', () => {
    expect(expectedView('order', statesOf(['RECEIVED'], ['NEW'])).statuses).toEqual(['NEW']);
    expect(expectedView('order', statesOf(['RECEIVED'], ['PENDING'], ['NEW'])).statuses).toEqual(['PENDING']);
    expect(expectedView('order', statesOf(['SETTLED'], ['NEW'])).statuses).toEqual(['SETTLED']);
  });

  it('expects the unknown status that was first received last', () => {
    expect(expectedView('transfer', statesOf(['ZZ'], ['AA'])).statuses).toEqual(['AA']);
  });

  it('expects the latest status when all times are distinct', () => {
    expect(expectedView('order', statesOf(['FILLED', early], ['NEW', late])).statuses).toEqual(['NEW']);
    expect(expectedView('order', statesOf(['SETTLED', early], ['PENDING', late])).statuses).toEqual(['PENDING']);
  });

  it('expects the furthest status when the platform goes back without a time', () => {
    const backFromUnread = statesOf(['RECEIVED'], ['FILLED'], ['PENDING']);
    expect(expectedView('order', backFromUnread).statuses).toEqual(['FILLED']);
    expect(expectedView('order', statesOf(['FILLED', early], ['PENDING', early])).statuses).toEqual(['FILLED']);
    expect(expectedView('order', statesOf(['SETTLED'], ['PENDING'])).statuses).toEqual(['SETTLED']);
  });

  it('expects the first status without a time only when it is the only report', () => {
    expect(expectedView('transfer', statesOf(['NEW', early], ['RECEIVED'])).statuses).toEqual(['NEW']);
    expect(expectedView('transfer', statesOf(['NEW'], ['RECEIVED', early])).statuses).toEqual(['NEW']);
    expect(expectedView('transfer', statesOf(['RECEIVED'])).statuses).toEqual(['RECEIVED']);
  });

  it('expects a status without a time when it is the last of all, and the latest time otherwise', () => {
    expect(expectedView('order', statesOf(['PENDING', early], ['NEW', late], ['FILLED'])).statuses).toEqual(['FILLED']);
    expect(expectedView('order', statesOf(['PENDING'], ['FILLED', early], ['NEW', late])).statuses).toEqual(['NEW']);
    expect(expectedView('order', statesOf(['SETTLED', early], ['PENDING', late], ['FILLED'])).statuses).toEqual([
      'PENDING',
    ]);
  });

  it('expects any of two final statuses without a time, and a contradiction', () => {
    const { statuses, isContradiction } = expectedView('order', statesOf(['SETTLED'], ['REJECTED']));
    expect({ statuses, isContradiction }).toEqual({ statuses: ['SETTLED', 'REJECTED'], isContradiction: true });
  });

  it('expects no contradiction when no time shows that a final status was left', () => {
    expect(expectedView('order', statesOf(['SETTLED'], ['PENDING'])).isContradiction).toBe(false);
    expect(expectedView('order', statesOf(['SETTLED', early], ['PENDING', early])).isContradiction).toBe(false);
  });

  it('expects a person to be read back after a status without a time, and keeps the earlier status', () => {
    const { statuses, toReadBack, heardOn } = expectedView('natural-person', statesOf(['ACTIVE', early], ['BLOCKED']));
    expect({ statuses, toReadBack, heardOn }).toEqual({
      statuses: ['ACTIVE'],
      toReadBack: true,
      heardOn: '2026-01-02T03:04:01.000Z',
    });
  });

  it('expects a contradiction only when a final status is left', () => {
    const isContradiction = (...states: readonly Reported[]) =>
      expectedView('order', statesOf(...states)).isContradiction;
    expect(isContradiction(['RECEIVED', early], ['SETTLED', late])).toBe(false);
    expect(isContradiction(['SETTLED', early], ['PENDING', late])).toBe(true);
    expect(isContradiction(['CORRECTED', early], ['PENDING', late])).toBe(false);
  });

  it('expects a transaction status of orders and transfers alone', () => {
    expect(expectedTransactionStatus('order', 'CORRECTED')).toBe('MODIFIED');
    expect(expectedTransactionStatus('transfer', 'PROCESSED')).toBe('COMPLETED');
    expect(expectedTransactionStatus('transfer', 'PENDING')).toBe('N/A');
    expect(expectedTransactionStatus('natural-person', 'ACTIVE')).toBeUndefined();
    expect(expectedTransactionStatus('order', 'NEW')).toBeUndefined();
  });

  it.each(entityKinds)('agrees with the merge about a %s on random reports in random order', (kind) => {
    const random = createRandom(1);
    for (let count = 0; count < 2_000; count += 1) {
      const states = randomStates(kind, random);
      const { statuses, isContradiction, heardOn } = expectedView(kind, states);
      const view = mergedView(kind, shuffle(states, random));
      expect(statuses, JSON.stringify(states)).toContain(view.status);
      expect({ isContradiction, heardOn }, JSON.stringify(states)).toEqual({
        isContradiction: view.anomalies.length > 0,
        heardOn: view.heardOn,
      });
    }
  });

  it.each(['entity-oracle.ts', 'platform-truth.ts', 'reported-status.ts'])(
    'is independent of the merge: no import of it in %s',
    (file) => {
      expect(readFileSync(join(import.meta.dirname, file), 'utf8')).not.toMatch(
        /from '#shared\/entities\/(merge|statuses|entity-store)/,
      );
    },
  );
});
