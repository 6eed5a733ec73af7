import type { Platform } from '#sandbox/platform/app/platform.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { endingStatuses } from '#shared/onboarding/onboarding-steps.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import type { OnboardingView, Partner } from './partner.ts';
import type { PlannedOnboarding } from './plan.ts';
import { personsByExternalId } from './platform-part.ts';

const readConcurrency = 8;

/** The statuses of a verification on the platform, oldest first, each with its time. */
export type VerificationHistory = readonly { readonly status: string; readonly since: string }[];

/** A person on the platform. */
export type PersonRecord = {
  readonly naturalPersonId: string;
  readonly status: string;
  readonly identifications: number;
  readonly verifications: readonly VerificationHistory[];
};

/** An onboarding: its plan, its view in the API, and its persons on the platform. */
export type OnboardingRecord = {
  readonly planned: Pick<PlannedOnboarding, 'name' | 'persona'>;
  /** Undefined if the API knows no such onboarding. */
  readonly shown: OnboardingView | 'erased' | undefined;
  readonly persons: readonly PersonRecord[];
};

/** The number of wrong onboardings, by kind of error. */
export type OnboardingAudit = {
  /** Ended at another step, or for another reason, than planned. */
  readonly wrongEnd: number;
  /** The person on the platform has another status than planned, or the onboarding names another person. */
  readonly wrongPerson: number;
  /** The externalId has more than one person; or one person although the platform had purged it. */
  readonly doubled: number;
  /** Two verifications of a person were open at the same time. */
  readonly overlapping: number;
  /** A supplied identification was stored twice or never, or the person has an unplanned one. */
  readonly misidentified: number;
};

export function auditOnboardings(records: readonly OnboardingRecord[]): OnboardingAudit {
  const count = (isFault: (record: OnboardingRecord) => boolean) => records.filter(isFault).length;
  return {
    wrongEnd: count(hasWrongEnd),
    wrongPerson: count(hasWrongPerson),
    doubled: count(({ planned, persons }) => persons.length > (planned.persona.status === undefined ? 0 : 1)),
    overlapping: count(({ persons }) => persons.some(({ verifications }) => haveOverlap(verifications))),
    misidentified: count(isMisidentified),
  };
}

/** Whether an onboarding ended at another step, or for another reason, than planned. */
export function hasWrongEnd({ planned, shown }: Pick<OnboardingRecord, 'planned' | 'shown'>): boolean {
  const { ends, reason, actions = [] } = planned.persona;
  const isErased = actions.some(({ what }) => what === 'erase');
  if (isErased || shown === 'erased') return isErased !== (shown === 'erased');
  // Codes of the platform come by webhooks, which may be lost.
  const isOfPlatform = endingStatuses.some((status) => status === ends);
  return shown?.step !== ends || (!isOfPlatform && shown.reasons?.[0]?.code !== reason);
}

function hasWrongPerson({ planned, shown, persons: [person] }: OnboardingRecord): boolean {
  const { status, reason } = planned.persona;
  const isPurged = person === undefined && status === 'INVALID';
  if (!isPurged && person?.status !== status) return true;
  if (shown === 'erased') return false;
  // The platform purges what is INVALID (section 8): a scenario of days ends without the person.
  if (isPurged) return shown?.naturalPersonId === undefined;
  // The onboarding must not name another person.
  const isAnother = reason === 'EXTERNAL_ID_OF_ANOTHER_PERSON' || status === undefined;
  return shown?.naturalPersonId !== (isAnother ? undefined : person?.naturalPersonId);
}

/** Counts the earlier identification, the video call, and the supplied identification. */
function isMisidentified({ planned: { persona }, persons }: OnboardingRecord): boolean {
  const hadOne = persona.known !== undefined && persona.known.status !== 'CREATED' ? 1 : 0;
  const isIdentified = ['COMPLETED', 'BLOCKED', 'SUSPENDED'].includes(persona.ends) && persona.mode !== 'none';
  // A person that is ACTIVE from the start completes its onboarding without another identification.
  const needsNone = persona.inPlaceOfCall !== undefined || persona.known?.status === 'ACTIVE';
  const expected = hadOne + (isIdentified && !needsNone ? 1 : 0);
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

/** Reads every planned onboarding from the API, with its persons from the platform. */
export async function readRecords(
  platform: Platform,
  plan: readonly PlannedOnboarding[],
  partner: Partner,
): Promise<readonly OnboardingRecord[]> {
  const persons = personsByExternalId(platform);
  return mapConcurrent(plan, readConcurrency, async (planned) => {
    const { externalId } = planned.request;
    const ofId = (persons.get(externalId) ?? []).map(
      ({ naturalPersonId, naturalPersonStatus: status, naturalPersonIdentifications }): PersonRecord => ({
        naturalPersonId,
        status,
        identifications: naturalPersonIdentifications.length,
        verifications: platform.verifications
          .of(naturalPersonId)
          .map((one) => platform.verifications.historyOf(one.identificationVerificationId)),
      }),
    );
    return { planned, shown: await partner.read(externalId), persons: ofId };
  });
}
