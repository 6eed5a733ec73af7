/** What an operator can do where an onboarding does not go on. */
export const remedies: Readonly<Record<string, string>> = {
  REQUESTOR_ID_INVALID:
    'The requestor has no ACTIVE proxy for this person (section 5): give it one on the platform, or set another requestor in cdk.json; then retry.',
  REQUESTOR_NOT_ACTIVE:
    'The platform refuses any requestor that is not ACTIVE (section 5). With onboarding.requestor "self" a person can become ACTIVE only by another identification: set onboarding.requestor in cdk.json to an ACTIVE person that has a proxy for each new person, deploy, then retry. With such a requestor, have the platform make it ACTIVE: the onboarding then goes on by itself.',
  VALIDATION_ERROR:
    'The platform refuses the identification although the requestor was ACTIVE, so another requestor does not help: ask its support what it refuses, then retry.',
  EXTERNAL_ID_TAKEN:
    'The externalId is, or was, that of a person whom the platform does not show: ask its support, or onboard the person under another externalId.',
  EXTERNAL_ID_OF_ANOTHER_PERSON:
    'The externalId is that of another person on the platform: it differs in the fields named. Onboard the person under another externalId.',
  PERSON_NOT_FOUND:
    'The platform no longer shows the person, as of one that was INVALID for 48 hours. Ask its support; then retry, or cancel.',
  FORBIDDEN: 'The platform does not allow the call: ask its support about the credentials, then retry.',
  NOT_IMPLEMENTED:
    'The platform does not support this verifier or identification type (section 2.5): set another externalVerifier in cdk.json, then retry.',
  BAD_REQUEST: 'The platform refuses the data, in the fields named: request it again with other data.',
  INPUT_REFUSED: 'The data breaks a rule of the specification, in the fields named: request it again with other data.',
  REQUEST_DELETED: 'The data that the onboarding needs was deleted when it ended: send the request again.',
};

/** How to put right what a reason says; undefined where it says all there is to know. */
export function remedyFor(code: string): string | undefined {
  if (code.startsWith('IDENTIFICATION_')) return 'The video call did not identify the person: retry for another one.';
  return Object.hasOwn(remedies, code) ? remedies[code] : undefined;
}
