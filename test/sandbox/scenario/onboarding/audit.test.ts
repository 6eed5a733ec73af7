import { describe, expect, it } from 'vitest';
import {
  auditOnboardings,
  type OnboardingAudit,
  type OnboardingRecord,
  type PersonRecord,
  type VerificationHistory,
} from '#sandbox/scenario/onboarding/audit.ts';
import { type Persona, personas } from '#sandbox/scenario/onboarding/personas.ts';

function personaOf(name: string): Persona {
  const persona = personas[name];
  if (persona === undefined) throw new Error(`There is no persona ${name}.`);
  return persona;
}

const at = (second: string) => `2026-11-21T08:00:${second}Z`;
const ended: VerificationHistory = [
  { status: 'RECEIVED', since: at('01') },
  { status: 'PENDING', since: at('02') },
  { status: 'APPROVED', since: at('03') },
];
const person: PersonRecord = { naturalPersonId: 'p', status: 'ACTIVE', identifications: 1, verifications: [ended] };
const shown = { onboardingId: 'o', sequence: 9, step: 'COMPLETED', mode: 'video', naturalPersonId: 'p' };

/** The errors of an onboarding that is flawless except for this change. */
function faults(more: Partial<OnboardingRecord>, name = 'by video'): Partial<OnboardingAudit> {
  const planned = { name, persona: personaOf(name) };
  const audit = auditOnboardings([{ planned, shown, persons: [person], ...more }]);
  return Object.fromEntries(Object.entries(audit).filter(([, count]) => count > 0));
}

const differs = { step: 'FAILED', reasons: [{ code: 'EXTERNAL_ID_OF_ANOTHER_PERSON', fields: ['lastName'] }] };
const { naturalPersonId: _, ...withoutPerson } = shown;

describe('sandbox scenario: auditOnboardings', () => {
  it('finds no error when every onboarding ended as planned', () => {
    expect(faults({})).toEqual({});
    expect(faults({ shown: { ...withoutPerson, ...differs } }, 'another person')).toEqual({});
    const stopped = { ...withoutPerson, step: 'STOPPED', reasons: [{ code: 'CONFLICT_UNEXPLAINED' }] };
    expect(faults({ shown: stopped, persons: [] }, 'the id of one that was purged')).toEqual({});
    expect(faults({ shown: { ...shown, step: 'INVALID' }, persons: [] }, 'INVALID')).toEqual({});
  });

  it.each([
    ['there is no such onboarding', undefined],
    ['the onboarding still waits', { ...shown, step: 'AWAITING_ACTIVATION' }],
    ['the onboarding has a reason', { ...shown, reasons: [{ code: 'FORBIDDEN' }] }],
  ])('counts a wrong end when %s', (_, other) => {
    expect(faults({ shown: other })).toMatchObject({ wrongEnd: 1 });
  });

  it.each([
    ['the platform has another status', { persons: [{ ...person, status: 'SUSPENDED' }] }],
    ['the platform has no such person', { persons: [] }],
    ['the onboarding shows another person', { shown: { ...shown, naturalPersonId: 'q' } }],
    ['the onboarding shows no person', { shown: withoutPerson }],
  ])('counts a wrong person when %s', (_, more) => {
    expect(faults(more)).toEqual({ wrongPerson: 1 });
  });

  it('expects an erasure exactly when one was planned', () => {
    const erased: Partial<OnboardingRecord> = { shown: 'erased' };
    expect(faults(erased, 'updated at the end, then erased')).toEqual({});
    expect(faults({}, 'updated at the end, then erased')).toEqual({ wrongEnd: 1 });
    expect(faults(erased)).toEqual({ wrongEnd: 1 });
  });

  it('counts an onboarding as doubled when two persons have its externalId', () => {
    expect(faults({ persons: [person, { ...person, naturalPersonId: 'q' }] })).toEqual({ doubled: 1 });
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
  ])('compares two verifications, of which the second %s', (_, other, overlapping) => {
    const verifications = [other, ended];
    expect(faults({ persons: [{ ...person, verifications }] })).toEqual(overlapping ? { overlapping } : {});
  });

  it.each([0, 2])(
    'counts an onboarding as misidentified when it has %i identifications instead of one',
    (identifications) => {
      expect(faults({ persons: [{ ...person, identifications }] })).toEqual({ misidentified: 1 });
    },
  );
});
