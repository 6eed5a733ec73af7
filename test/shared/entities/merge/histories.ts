import fc from 'fast-check';
import {
  type EntityState,
  emptyEntityState,
  entityStateOf,
  mergeEntityStates,
  type ReceivedReport,
} from '#shared/entities/merge/entity-state.ts';
import { type EntityView, viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';

/** What was reported: a status, and when the platform gave it, if it says so. A question's answer if it was read back. */
export type Line = {
  readonly status?: string | undefined;
  /** Seconds after 08:00, or a whole timestamp. Without it the reports are untimed. */
  readonly at?: number | string | undefined;
  /** The platform's codes of why. */
  readonly codes?: readonly string[] | undefined;
  /** Seconds after 09:00. */
  readonly received?: number;
  /** Seconds after 10:00. */
  readonly read?: number | undefined;
  /** Seconds after 09:00: what had been reported when we asked. */
  readonly answers?: number | undefined;
};

export function receivedAt(seconds: number): string {
  return new Date(Date.parse('2026-11-21T09:00:00Z') + seconds * 1000).toISOString();
}

export function modifiedAt(seconds: number | string): string {
  return typeof seconds === 'string' ? seconds : `2026-11-21T08:00:${String(seconds).padStart(2, '0')}Z`;
}

export function receivedReportOf({ status, at, codes = [], received = 0, read, answers }: Line): ReceivedReport {
  return {
    report: {
      ...(status !== undefined && { status }),
      ...(at !== undefined && { modifiedOn: modifiedAt(at) }),
      ...(codes.length > 0 && { reasonCodes: codes }),
    },
    receivedOn: receivedAt(received),
    ...(read !== undefined && {
      readBack: {
        readOn: `2026-11-21T10:00:${String(read).padStart(2, '0')}Z`,
        ...(answers !== undefined && { answers: receivedAt(answers) }),
      },
    }),
  };
}

/** What is known after these, reported in this order. */
export function learn(kind: EntityKind, lines: readonly Line[], known: EntityState = emptyEntityState): EntityState {
  return lines.reduce(
    (sum, line) => mergeEntityStates(entityRules[kind], sum, entityStateOf(entityRules[kind], receivedReportOf(line))),
    known,
  );
}

export function shownAfter(kind: EntityKind, ...lines: readonly Line[]): EntityView {
  return viewOf(entityRules[kind], learn(kind, lines));
}

/** The statuses that were shown one after another. */
export function shownOneByOne(kind: EntityKind, ...lines: readonly Line[]): readonly (string | undefined)[] {
  return lines.map((_, index) => shownAfter(kind, ...lines.slice(0, index + 1)).status);
}

export function statusesOfKind(kind: EntityKind): readonly string[] {
  return entityRules[kind].statuses.table.statuses.map(({ status }) => status);
}

/** Two instants written in two ways, others that differ by a nanosecond, and none. */
const times = [
  '2026-11-21T08:00:00Z',
  '2026-11-21T08:00:00.000000000Z',
  '2026-11-21T09:00:00.1+01:00',
  '2026-11-21T08:00:00.1Z',
  '2026-11-21T08:00:00.100000001Z',
  '2026-11-21T08:00:01Z',
  undefined,
];

/** More of them than an entity keeps of one status. */
const anyCodes = fc.subarray([...'ABCDEFGHIJKL'], { maxLength: 6 });

/** any reports about an entity, with words that the tables do not have and times that collide. */
export function anyLine(kind: EntityKind): fc.Arbitrary<Line> {
  const status = fc.constantFrom(...statusesOfKind(kind), 'A_NEW_WORD', 'ZZZ_NEW_WORD', undefined);
  const report = fc.record({
    status,
    at: fc.constantFrom(...times),
    codes: anyCodes,
    received: fc.integer({ min: 0, max: 3 }),
  });
  const answer = fc.record({
    status,
    at: fc.constantFrom(...times),
    read: fc.integer({ min: 0, max: 2 }),
    answers: fc.constantFrom(undefined, 0, 1, 2, 3),
  });
  return fc.oneof({ weight: 4, arbitrary: report }, { weight: 1, arbitrary: answer });
}

/** any reports with so many unknown statuses that there is no room for all. */
export function anyCrowdedLine(kind: EntityKind): fc.Arbitrary<Line> {
  const unknown = Array.from({ length: 14 }, (_, index) => `NEW_WORD_${index}`);
  return fc.record({
    status: fc.constantFrom(...statusesOfKind(kind), ...unknown, ...unknown, 'constructor'),
    at: fc.constantFrom(...times, undefined, undefined),
    codes: anyCodes,
    received: fc.integer({ min: 0, max: 9 }),
  });
}

export function permutationsOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutationsOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
