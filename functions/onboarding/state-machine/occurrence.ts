import type { ConflictSubject, OnboardingReason } from '#shared/onboarding/onboarding-state.ts';
import type { EndingStatus } from '#shared/onboarding/onboarding-steps.ts';
import type { OnboardingEventType } from './onboarding-event-type.ts';

type WithPerson = 'PersonCreated' | 'PersonAdopted';
type WithVerification = 'VerificationCreated' | 'VerificationAdopted';
type WithReason = 'PersonDiffers' | 'CallRefused' | 'IdentificationFailed' | 'Stopped' | 'RequestorNotActive';
type EndOfPerson = `Person${'Suspended' | 'Blocked' | 'Rejected' | 'Invalid' | 'Deceased'}`;

/** Something that has happened in an onboarding. */
export type Occurrence =
  | { readonly type: WithPerson; readonly naturalPersonId: string }
  | { readonly type: WithVerification; readonly identificationVerificationId: string }
  | { readonly type: 'UrlAvailable'; readonly identificationUrl: string }
  | { readonly type: 'SearchContinued'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  | { readonly type: 'ConflictMet'; readonly conflict?: ConflictSubject | undefined }
  | {
      readonly type: WithReason;
      readonly reason: OnboardingReason;
      /** The platform's codes of why. */
      readonly codes?: readonly string[] | undefined;
    }
  | { readonly type: EndOfPerson; readonly codes?: readonly string[] | undefined }
  | {
      readonly type: 'PersonActivated';
      /** Why its identification has failed, if it has. */
      readonly reason?: OnboardingReason;
      readonly codes?: readonly string[] | undefined;
    }
  | {
      readonly type: Exclude<
        OnboardingEventType,
        | WithPerson
        | WithVerification
        | WithReason
        | EndOfPerson
        | 'PersonActivated'
        | 'UrlAvailable'
        | 'SearchContinued'
        | 'ConflictMet'
      >;
    };

/** What has happened when a person has come to a status that ends its onboarding. */
export const endings: Readonly<Record<EndingStatus, { readonly type: EndOfPerson }>> = {
  SUSPENDED: { type: 'PersonSuspended' },
  BLOCKED: { type: 'PersonBlocked' },
  REJECTED: { type: 'PersonRejected' },
  INVALID: { type: 'PersonInvalid' },
  DECEASED: { type: 'PersonDeceased' },
};
