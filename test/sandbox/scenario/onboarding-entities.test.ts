import { describe, expect, it } from 'vitest';
import type { Shown } from '#sandbox/scenario/entity-audit.ts';
import {
  asShown,
  describeDifference,
  type OnboardedRecord,
  type Standings,
  standingsOf,
} from '#sandbox/scenario/onboarding-entities.ts';

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
  readonly entity?: Shown['entity'];
  readonly isTold?: boolean;
};

/** In which lists it is. */
function standing({ of = {}, entity, isTold = true }: Case): readonly string[] {
  const one = { ...record, ...of };
  const shown = [{ record: one, entity, timeline: [] }];
  const standings: Standings = standingsOf({ records: [one], shown, isTold: () => isTold });
  return Object.entries(standings).flatMap(([name, list]) => (list.length > 0 ? [name] : []));
}

describe('issue 6, as the scenario onboarding holds entities against the platform', () => {
  it.each<[string, Case, readonly string[]]>([
    ['as on the platform', { entity: entityOf('APPROVED', at('03')) }, ['same']],
    ['behind, although somebody may ask', { entity: behind }, ['different']],
    ['missing, although an event tells of it', {}, ['different']],
    ['missing, and told by nothing', { isTold: false }, ['different']],
    ['a person that is missing', { of: { kind: 'natural-person' }, isTold: false }, ['different']],
    ['behind, and nobody may ask', { of: unreadable, entity: behind }, ['unreadable']],
    [
      'as on the platform, although nobody may ask',
      { of: unreadable, entity: entityOf('APPROVED', at('03')) },
      ['same'],
    ],
    ['missing and told by nothing, and nobody may ask', { of: unreadable, isTold: false }, ['unreadable']],
    ['missing and told of, and nobody may ask', { of: unreadable }, ['unreadable', 'madeUp']],
    [
      'of a status that it never had',
      { of: unreadable, entity: entityOf('FAILED', at('02')) },
      ['unreadable', 'madeUp'],
    ],
    [
      'of a time that it never had',
      { of: unreadable, entity: entityOf('PENDING', at('01')) },
      ['unreadable', 'madeUp'],
    ],
  ])('%s', (_, one, lists) => {
    expect(standing(one)).toEqual(lists);
  });

  it('what nobody may ask for is audited as it was last told', () => {
    const one = { record, entity: behind, timeline: [] };
    expect(asShown(one)).toMatchObject([{ record: { status: 'PENDING', modifiedOn: at('02') } }]);
    expect(asShown({ ...one, entity: undefined })).toEqual([]);
  });

  it('what differs is named by ids, statuses and flags', () => {
    const of = { ...record, ...unreadable };
    expect(describeDifference({ record, entity: { ...behind, toReadBack: true }, timeline: [] }, of)).toBe(
      `identification-verification v: PENDING of ${at('02')}, on the platform APPROVED of ${at('03')} ` +
        '(to be read back, 0 events, its person is BLOCKED, nobody may ask for it)',
    );
    expect(describeDifference({ record, entity: undefined, timeline: [] }, record)).toContain(': not there, on');
  });
});
