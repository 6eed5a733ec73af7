import { describe, expect, it } from 'vitest';
import type { EntityReading } from '#sandbox/scenario/common/entity-audit.ts';
import {
  asRead,
  compareEntities,
  describeDifference,
  type EntityComparison,
  type OnboardedRecord,
} from '#sandbox/scenario/onboarding/entities.ts';

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
    ['it is missing and no event names it', { isReported: false }, ['different']],
    ['it is a missing person', { of: { kind: 'natural-person' }, isReported: false }, ['different']],
    ['it is behind and unreadable', { of: unreadable, entity: behind }, ['unreadable']],
    ['it matches the platform and is unreadable', { of: unreadable, entity: entityOf('APPROVED', at('03')) }, ['same']],
    ['it is missing and unreadable, and no event names it', { of: unreadable, isReported: false }, ['unreadable']],
    ['it is missing and unreadable although an event names it', { of: unreadable }, ['unreadable', 'unexplained']],
    [
      'it has a status that the platform never had',
      { of: unreadable, entity: entityOf('FAILED', at('02')) },
      ['unreadable', 'unexplained'],
    ],
    [
      'it has a time that the platform never had',
      { of: unreadable, entity: entityOf('PENDING', at('01')) },
      ['unreadable', 'unexplained'],
    ],
  ])('classifies an entity: %s', (_, one, lists) => {
    expect(listsOf(one)).toEqual(lists);
  });

  it('audits an unreadable entity against the last report', () => {
    const one = { record, entity: behind, timeline: [] };
    expect(asRead(one)).toMatchObject([{ record: { status: 'PENDING', modifiedOn: at('02') } }]);
    expect(asRead({ ...one, entity: undefined })).toEqual([]);
  });

  it('describes a difference with ids, statuses and flags only', () => {
    const of = { ...record, ...unreadable };
    expect(describeDifference({ record, entity: { ...behind, toReadBack: true }, timeline: [] }, of)).toBe(
      `identification-verification v: PENDING of ${at('02')}, on the platform APPROVED of ${at('03')} ` +
        '(to be read back, 0 events, person is BLOCKED, requestor may not read it)',
    );
    expect(describeDifference({ record, entity: undefined, timeline: [] }, record)).toContain(': missing, on');
  });
});
