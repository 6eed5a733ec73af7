import { compareTimestamps } from '#shared/platform/timestamp.ts';
import type { ShownOnboarding } from './onboarding-partner.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';

/** A verification on the platform: its statuses, the first first, and since when it had each. */
export type VerificationHistory = readonly { readonly status: string; readonly since: string }[];

/** A person of an externalId on the platform. */
export type PersonRecord = {
  readonly naturalPersonId: string;
  readonly status: string;
  readonly identifications: number;
  readonly verifications: readonly VerificationHistory[];
};

/** An onboarding as it was planned, as it is shown, and what the platform has of it. */
export type OnboardingRecord = {
  readonly planned: Pick<PlannedOnboarding, 'name' | 'fate'>;
  /** Undefined where there is none. */
  readonly shown: ShownOnboarding | 'erased' | undefined;
  readonly persons: readonly PersonRecord[];
};

/** How many onboardings are not as they should be, of each kind of fault. */
export type OnboardingAudit = {
  /** Ended at another step, or for another reason, than was planned. */
  readonly elsewhere: number;
  /** The person on the platform has another status than was planned, or the onboarding shows another person. */
  readonly unlike: number;
  /** Of an externalId there is more than one person; or one, where the platform had purged it. */
  readonly doubled: number;
  /** Two verifications of a person were open at the same time. */
  readonly overlapping: number;
  /** A supplied identification was taken twice, or never; or the person has one of which nobody knows. */
  readonly misidentified: number;
};

export function auditOnboardings(records: readonly OnboardingRecord[]): OnboardingAudit {
  const count = (isFault: (record: OnboardingRecord) => boolean) => records.filter(isFault).length;
  return {
    elsewhere: count(endedElsewhere),
    unlike: count(isUnlike),
    doubled: count(({ planned, persons }) => persons.length > (planned.fate.status === undefined ? 0 : 1)),
    overlapping: count(({ persons }) => persons.some(({ verifications }) => haveOverlap(verifications))),
    misidentified: count(isMisidentified),
  };
}

/** Whether an onboarding is not where its plan says that it ends. */
export function endedElsewhere({ planned, shown }: Pick<OnboardingRecord, 'planned' | 'shown'>): boolean {
  const { ends, reason, deeds = [] } = planned.fate;
  const isErased = deeds.some(({ what }) => what === 'erase');
  if (isErased || shown === 'erased') return isErased !== (shown === 'erased');
  return shown?.step !== ends || shown.reasons?.[0]?.code !== reason;
}

function isUnlike({ planned, shown, persons: [person] }: OnboardingRecord): boolean {
  const { status, reason } = planned.fate;
  if (person?.status !== status) return true;
  if (shown === 'erased') return false;
  // Of another person the onboarding knows nothing.
  const isAnother = reason === 'EXTERNAL_ID_OF_ANOTHER_PERSON' || status === undefined;
  return shown?.naturalPersonId !== (isAnother ? undefined : person?.naturalPersonId);
}

/** What was on the platform before, the video call, and what the partner supplied. */
function isMisidentified({ planned: { fate }, persons }: OnboardingRecord): boolean {
  const hadOne = fate.known !== undefined && fate.known.status !== 'CREATED' ? 1 : 0;
  const isIdentified = ['COMPLETED', 'BLOCKED', 'SUSPENDED'].includes(fate.ends) && fate.mode !== 'none';
  const expected = hadOne + (isIdentified && fate.inPlaceOfCall === undefined ? 1 : 0);
  return persons.some(({ identifications }) => identifications !== expected);
}

const open = ['RECEIVED', 'PENDING'];

function haveOverlap(verifications: readonly VerificationHistory[]): boolean {
  const times = verifications
    .flatMap((history) => {
      const to = history.find(({ status }) => !open.includes(status))?.since;
      return history.slice(0, 1).map(({ since: from }) => ({ from, to }));
    })
    .toSorted((one, other) => compareTimestamps(one.from, other.from));
  return times.some(({ to }, index) => {
    const next = times[index + 1];
    return next !== undefined && (to === undefined || compareTimestamps(next.from, to) < 0);
  });
}
