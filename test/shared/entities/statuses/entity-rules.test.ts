import { describe, expect, it } from 'vitest';
import { leavesStatusOpen } from '#shared/entities/merge/entity-state.ts';
import {
  type EntityRules,
  entityRules,
  isKnownStatus,
  readStatus,
  rulesWith,
} from '#shared/entities/statuses/entity-rules.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { type Line, receivedReportOf } from '#test/shared/entities/merge/histories.ts';
import { sampleStatuses } from '#test/shared/entities/merge/sample-statuses.ts';

describe('a report that leaves the status of an entity open', () => {
  const isOpen = (kind: keyof typeof entityRules, line: Line) =>
    leavesStatusOpen(entityRules[kind], receivedReportOf(line));

  it.each(['natural-person', 'identification-verification'] as const)(
    'is one of a %s without a status or without a time, which the platform did not give as an answer',
    (kind) => {
      expect(isOpen(kind, { status: 'PENDING' })).toBe(true);
      expect(isOpen(kind, { at: 1 })).toBe(true);
      expect(isOpen(kind, {})).toBe(true);
      expect(isOpen(kind, { status: 'PENDING', at: 1 })).toBe(false);
      expect(isOpen(kind, { status: 'PENDING', read: 1 })).toBe(false);
      expect(isOpen(kind, { read: 1 })).toBe(false);
    },
  );

  it.each(['order', 'transfer'] as const)('is none of a %s: its statuses move one way', (kind) => {
    for (const line of [{}, { status: 'PENDING' }, { at: 1 }]) expect(isOpen(kind, line)).toBe(false);
  });
});

describe('the list of statuses that last without being final', () => {
  const restingOf = ({ statuses }: EntityRules) =>
    statuses.table.statuses.map(({ status }) => status).filter(statuses.isResting);

  it('has those in which an entity can stay', () => {
    expect(Object.fromEntries(entityKinds.map((kind) => [kind, restingOf(entityRules[kind])]))).toEqual({
      'natural-person': ['CREATED', 'ACTIVE', 'SUSPENDED', 'BLOCKED'],
      'identification-verification': [],
      order: ['CORRECTED'],
      transfer: [],
    });
  });

  it('has those that an environment declares as such, and no others that it declares', () => {
    const { 'natural-person': person, order } = rulesWith(sampleStatuses);
    expect(restingOf(person)).toEqual(['CREATED', 'ACTIVE', 'SUSPENDED', 'BLOCKED', 'EXAMPLE_RETURNING']);
    expect(restingOf(order)).toEqual(['CORRECTED']);
  });
});

describe('a status that the platform writes', () => {
  const profile = { statuses: sampleStatuses, verificationWords: { waiting: ['ON_CALL'] } };

  it.each([
    ['order', {}, 'FILLED', true],
    ['order', {}, 'A_NEW_WORD', false],
    ['order', profile, 'EXAMPLE_FINAL', true],
    ['order', profile, 'ON_CALL', false],
    ['identification-verification', profile, 'ON_CALL', true],
  ] as const)(
    'is known of an entity of the kind %s, with the profile %j, by its word: %s is %s',
    (kind, given, status, isKnown) => {
      expect(isKnownStatus(kind, given, status)).toBe(isKnown);
    },
  );

  it('is read as a word, or as none', () => {
    expect([' FILLED ', null, undefined].map((value) => readStatus('order', {}, value))).toEqual([
      'FILLED',
      undefined,
      undefined,
    ]);
  });
});
