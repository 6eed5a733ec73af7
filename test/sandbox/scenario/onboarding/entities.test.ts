import { describe, expect, it } from 'vitest';
import type { EntityReading } from '#sandbox/scenario/common/entity-audit.ts';
import { compareEntities, type EntityComparison, type OnboardedRecord } from '#sandbox/scenario/onboarding/entities.ts';

const at = (second: string) => `2026-11-21T08:00:${second}Z`;
const record: OnboardedRecord = {
  kind: 'identification-verification',
  id: 'v',
  status: 'APPROVED',
  modifiedOn: at('03'),
  notified: [],
  isReadable: true,
  personStatus: 'ACTIVE',
  history: [
    { status: 'RECEIVED', since: at('01') },
    { status: 'PENDING', since: at('02') },
    { status: 'APPROVED', since: at('03') },
  ],
};
const entityOf = (status: string, modifiedOn: string) => ({
  ...{ kind: record.kind, id: record.id, sequence: 2, status, modifiedOn },
  anomalies: [],
  toReadBack: false,
});
const behind = entityOf('PENDING', at('02'));
const unreadable = { isReadable: false, personStatus: 'BLOCKED' };

type Case = {
  readonly of?: Partial<OnboardedRecord>;
  readonly entity?: EntityReading['entity'];
  readonly isReported?: boolean;
};

/** The lists that contain the entity. */
function listsOf({ of = {}, entity, isReported = true }: Case): readonly string[] {
  const one = { ...record, ...of };
  const shown = [{ record: one, entity, timeline: [] }];
  const comparison: EntityComparison = compareEntities({ records: [one], shown, isReported: () => isReported });
  return Object.entries(comparison).flatMap(([name, list]) => (list.length > 0 ? [name] : []));
}

describe('sandbox scenario: compareEntities', () => {
  it.each<[string, Case, readonly string[]]>([
    ['it matches the platform', { entity: entityOf('APPROVED', at('03')) }, ['same']],
    ['it is behind and readable', { entity: behind }, ['different']],
    ['it is missing although an event names it', {}, ['different']],
    ['it is behind and unreadable', { of: unreadable, entity: behind }, ['unreadable']],
    ['it is missing and unreadable although an event names it', { of: unreadable }, ['unreadable', 'unexplained']],
    [
      'it has a status that the platform never had',
      { of: unreadable, entity: entityOf('FAILED', at('02')) },
      ['unreadable', 'unexplained'],
    ],
  ])('classifies an entity: %s', (_, one, lists) => {
    expect(listsOf(one)).toEqual(lists);
  });
});
