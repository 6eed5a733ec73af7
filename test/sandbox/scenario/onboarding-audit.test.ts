import { describe, expect, it } from 'vitest';
import {
  auditOnboardings,
  type OnboardingAudit,
  type OnboardingRecord,
  type PersonRecord,
  type VerificationHistory,
} from '#sandbox/scenario/onboarding-audit.ts';
import { type Fate, fates } from '#sandbox/scenario/onboarding-fates.ts';

function fateOf(name: string): Fate {
  const fate = fates[name];
  if (fate === undefined) throw new Error(`There is no fate ${name}.`);
  return fate;
}

const at = (second: string) => `2026-11-21T08:00:${second}Z`;
const ended: VerificationHistory = [
  { status: 'RECEIVED', since: at('01') },
  { status: 'PENDING', since: at('02') },
  { status: 'APPROVED', since: at('03') },
];
const person: PersonRecord = { naturalPersonId: 'p', status: 'ACTIVE', identifications: 1, verifications: [ended] };
const shown = { onboardingId: 'o', sequence: 9, step: 'COMPLETED', mode: 'video', naturalPersonId: 'p' };

/** The faults of an onboarding that would be flawless but for this. */
function faults(more: Partial<OnboardingRecord>, name = 'by video'): Partial<OnboardingAudit> {
  const planned = { name, fate: fateOf(name) };
  const audit = auditOnboardings([{ planned, shown, persons: [person], ...more }]);
  return Object.fromEntries(Object.entries(audit).filter(([, count]) => count > 0));
}

const differs = { step: 'FAILED', reasons: [{ code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: ['lastName'] }] };
const { naturalPersonId: _, ...ofNobody } = shown;

describe('issue 6, as the scenario onboarding audits it', () => {
  it('finds nothing where all is as planned', () => {
    expect(faults({})).toEqual({});
    expect(faults({ shown: { ...ofNobody, ...differs } }, 'another person')).toEqual({});
    const stopped = { ...ofNobody, step: 'STOPPED', reasons: [{ code: 'CONFLICT_UNEXPLAINED' }] };
    expect(faults({ shown: stopped, persons: [] }, 'the id of one that was purged')).toEqual({});
  });

  it.each([
    ['there is no such onboarding', undefined],
    ['it waits still', { ...shown, step: 'AWAITING_ACTIVATION' }],
    ['it has a reason', { ...shown, reasons: [{ code: 'FORBIDDEN' }] }],
  ])('it ended elsewhere where %s', (_, other) => {
    expect(faults({ shown: other })).toMatchObject({ elsewhere: 1 });
  });

  it('it ended elsewhere where it has another reason, or none', () => {
    const reasons = [{ code: 'BAD_REQUEST' }];
    expect(faults({ shown: { ...ofNobody, ...differs, reasons } }, 'another person')).toEqual({ elsewhere: 1 });
    expect(faults({ shown: { ...ofNobody, step: 'FAILED' } }, 'another person')).toEqual({ elsewhere: 1 });
  });

  it.each([
    ['the platform has another status', { persons: [{ ...person, status: 'SUSPENDED' }] }],
    ['the platform has no such person', { persons: [] }],
    ['the onboarding shows another person', { shown: { ...shown, naturalPersonId: 'q' } }],
    ['the onboarding shows no person', { shown: ofNobody }],
  ])('it is unlike where %s', (_, more) => {
    expect(faults(more)).toEqual({ unlike: 1 });
  });

  it('it must be erased where that was planned, and nowhere else', () => {
    const erased: Partial<OnboardingRecord> = { shown: 'erased' };
    expect(faults(erased, 'updated at the end, then erased')).toEqual({});
    expect(faults({}, 'updated at the end, then erased')).toEqual({ elsewhere: 1 });
    expect(faults(erased)).toEqual({ elsewhere: 1 });
  });

  it('it is unlike where it has taken over another person', () => {
    expect(faults({ shown: { ...shown, ...differs } }, 'another person')).toEqual({ unlike: 1 });
  });

  it('it is doubled where two persons have its externalId', () => {
    expect(faults({ persons: [person, { ...person, naturalPersonId: 'q' }] })).toEqual({ doubled: 1 });
  });

  it('or one, where none can', () => {
    expect(faults({}, 'the id of one that was purged')).toMatchObject({ doubled: 1 });
  });

  it.each<[string, VerificationHistory, number | undefined]>([
    ['begins when the first has ended', [{ status: 'RECEIVED', since: at('03.000000001') }], undefined],
    ['begins a nanosecond before that', [{ status: 'RECEIVED', since: at('02.999999999') }], 1],
    ['was open all the time', [{ status: 'RECEIVED', since: at('00') }], 1],
    [
      'had failed before',
      [
        { status: 'RECEIVED', since: at('00') },
        { status: 'FAILED', since: at('00.5') },
      ],
      undefined,
    ],
  ])('two verifications, of which one %s', (_, other, overlapping) => {
    const verifications = [other, ended];
    expect(faults({ persons: [{ ...person, verifications }] })).toEqual(overlapping ? { overlapping } : {});
  });

  it.each([0, 2])('it is misidentified where there are %i identifications in place of one', (identifications) => {
    expect(faults({ persons: [{ ...person, identifications }] })).toEqual({ misidentified: 1 });
  });

  it.each([
    ['not identified by us', 0],
    ['adopted, ACTIVE, by video', 2],
    ['adopted with a verification', 1],
  ])('%s: %i are right', (name, identifications) => {
    expect(faults({ persons: [{ ...person, identifications }] }, name)).toEqual({});
    expect(faults({ persons: [{ ...person, identifications: identifications + 1 }] }, name)).toEqual({
      misidentified: 1,
    });
  });
});
