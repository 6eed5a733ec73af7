import type { ConflictSubject, OnboardingReason } from '#shared/onboarding/onboarding-state.ts';
import type { EndingStatus } from '#shared/onboarding/onboarding-steps.ts';

/** The kinds of inputs. Logs show them as `reason`. */
export type InputType =
  | 'CreationIntended'
  | 'PersonCreated'
  | 'PersonAdopted'
  | 'PersonDiffers'
  | 'ConflictMet'
  | 'SearchContinued'
  | 'OutcomeUnknown'
  | 'CallNotTaken'
  | 'CallRefused'
  | 'RequestorNotActive'
  | 'VerificationSought'
  | 'VerificationIntended'
  | 'VerificationCreated'
  | 'VerificationAdopted'
  | 'UrlAvailable'
  | 'IdentificationSought'
  | 'IdentificationIntended'
  | 'IdentificationAccepted'
  | 'IdentificationApproved'
  | 'IdentificationFailed'
  | 'ChecksPassed'
  | 'PersonActivated'
  | `Person${'Suspended' | 'Blocked' | 'Rejected' | 'Invalid' | 'Deceased'}`
  | 'Stopped'
  | 'Stalled'
  | 'Expired'
  | 'Canceled'
  | 'Resumed'
  | 'Retried'
  | 'Restarted';

type WithPerson = 'PersonCreated' | 'PersonAdopted';
type WithVerification = 'VerificationCreated' | 'VerificationAdopted';
type WithReason = 'PersonDiffers' | 'CallRefused' | 'IdentificationFailed' | 'Stopped' | 'RequestorNotActive';
type EndOfPerson = `Person${'Suspended' | 'Blocked' | 'Rejected' | 'Invalid' | 'Deceased'}`;

/** An input of the state machine: what a call, an observation, the clock or an operator does to an onboarding. */
export type Input =
  | { readonly type: WithPerson; readonly naturalPersonId: string }
  | { readonly type: WithVerification; readonly identificationVerificationId: string }
  | { readonly type: 'UrlAvailable'; readonly identificationUrl: string }
  | { readonly type: 'SearchContinued'; readonly cursor: string; readonly hasNamesake?: boolean | undefined }
  | { readonly type: 'ConflictMet'; readonly conflict?: ConflictSubject | undefined }
  | {
      readonly type: WithReason;
      readonly reason: OnboardingReason;
      /** The platform's reason codes. */
      readonly codes?: readonly string[] | undefined;
    }
  | { readonly type: EndOfPerson; readonly codes?: readonly string[] | undefined }
  | {
      readonly type: 'PersonActivated';
      /** Why the identification failed, if it did. */
      readonly reason?: OnboardingReason;
      readonly codes?: readonly string[] | undefined;
    }
  | {
      readonly type: Exclude<
        InputType,
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

/** The input for each status of a person that ends its onboarding. */
export const endings: Readonly<Record<EndingStatus, { readonly type: EndOfPerson }>> = {
  SUSPENDED: { type: 'PersonSuspended' },
  BLOCKED: { type: 'PersonBlocked' },
  REJECTED: { type: 'PersonRejected' },
  INVALID: { type: 'PersonInvalid' },
  DECEASED: { type: 'PersonDeceased' },
};
