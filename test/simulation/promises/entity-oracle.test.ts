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
import { expectedView, type PlatformState } from './entity-oracle.ts';

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
  const merge = (known: EntityState, { status, modifiedOn, firstReceivedOn: receivedOn }: PlatformState) => {
    const report = { status, ...(modifiedOn !== undefined && { modifiedOn }) };
    return mergeEntityStates(rules, known, entityStateOf(rules, { report, receivedOn }));
  };
  return viewOf(rules, states.reduce(merge, emptyEntityState));
}

describe('the oracle for entities', () => {
  it.each(entityKinds)('agrees with the merge about a %s on random reports in random order', (kind) => {
    const random = createRandom(1);
    for (let count = 0; count < 2_000; count += 1) {
      const states = randomStates(kind, random);
      const { statuses, isContradiction, openReportOn } = expectedView(kind, states);
      const view = mergedView(kind, shuffle(states, random));
      expect(statuses, JSON.stringify(states)).toContain(view.status);
      expect({ isContradiction, openReportOn }, JSON.stringify(states)).toEqual({
        isContradiction: view.anomalies.length > 0,
        openReportOn: view.openReportOn,
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
