import type { ConflictSubject, OnboardingReason } from '#shared/onboarding/onboarding-state.ts';
import type { EndingStatus } from '#shared/onboarding/onboarding-steps.ts';
import type { OnboardingEventType } from './onboarding-event-type.ts';

type WithPerson = 'PersonCreated' | 'PersonAdopted';
type WithVerification = 'VerificationCreated' | 'VerificationAdopted';
type WithReason = 'PersonDiffers' | 'CallRefused' | 'IdentificationFailed' | 'Stopped' | 'RequestorNotActive';

/** Something that has happened in an onboarding. */
export type Occurrence =
  | { readonly type: WithPerson; readonly naturalPersonId: string }
  | { readonly type: WithVerification; readonly identificationVerificationId: string }
  | { readonly type: 'UrlAvailable'; readonly identificationUrl: string }
  | { readonly type: 'SearchContinued'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  | { readonly type: 'ConflictMet'; readonly conflict?: ConflictSubject | undefined }
  | { readonly type: WithReason; readonly reason: OnboardingReason }
  | {
      readonly type: Exclude<
        OnboardingEventType,
        WithPerson | WithVerification | WithReason | 'UrlAvailable' | 'SearchContinued' | 'ConflictMet'
      >;
    };

/** What has happened when a person has come to a status that ends its onboarding. */
export const endings: Readonly<Record<EndingStatus, Occurrence>> = {
  SUSPENDED: { type: 'PersonSuspended' },
  BLOCKED: { type: 'PersonBlocked' },
  REJECTED: { type: 'PersonRejected' },
  INVALID: { type: 'PersonInvalid' },
  DECEASED: { type: 'PersonDeceased' },
};
