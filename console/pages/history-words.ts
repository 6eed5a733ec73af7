/** What happened to an onboarding, in words. The log has the names. */
export const historyWords = {
  accepted: 'the request was accepted',
  CreationIntended: 'the person is about to be created',
  PersonCreated: 'the platform has created the person',
  PersonAdopted: 'the person is on the platform already',
  PersonDiffers: 'the platform has another person with the externalId',
  ConflictMet: 'the platform knows such a person: a search begins',
  SearchContinued: 'the search continues',
  OutcomeUnknown: 'the answer of the platform was lost',
  CallNotTaken: 'the platform did not take the call',
  CallRefused: 'the platform refused the call',
  RequestorNotActive: 'the requestor is not ACTIVE yet',
  PersonSought: 'a search for an earlier person begins',
  VerificationSought: 'a search for an earlier verification begins',
  VerificationIntended: 'the verification is about to be created',
  VerificationCreated: 'the platform has created the verification',
  VerificationAdopted: 'an earlier verification is used',
  UrlAvailable: 'the link of the video call is there',
  IdentificationSought: 'the requestor is ACTIVE: the identification is next',
  IdentificationIntended: 'the identification is about to be sent',
  IdentificationAccepted: 'the platform has taken the identification',
  IdentificationApproved: 'the identification is APPROVED',
  IdentificationFailed: 'the identification has failed',
  ChecksPassed: 'the platform has checked the person',
  PersonActivated: 'the person is ACTIVE',
  PersonSuspended: 'the person is SUSPENDED',
  PersonBlocked: 'the person is BLOCKED',
  PersonRejected: 'the person is REJECTED',
  PersonInvalid: 'the person is INVALID',
  PersonDeceased: 'the person is DECEASED',
  Stopped: 'an operator must fix the cause',
  Stalled: 'the deadline of the step is over',
  Expired: 'the time of the onboarding is over',
  Canceled: 'an operator has canceled it',
  Resumed: 'the onboarding continues',
  Retried: 'an operator has retried it',
  Restarted: 'the request came again: the onboarding starts again',
} as const satisfies Readonly<Record<string, string>>;

const known: ReadonlyMap<string, string> = new Map(Object.entries(historyWords));

/** Puts names that stand between commas in words, and leaves the rest. */
export function inWords(text: string): string {
  return text
    .split(', ')
    .map((part) => known.get(part) ?? part)
    .join(', ');
}
