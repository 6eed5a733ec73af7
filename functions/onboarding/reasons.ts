/** What an operator can do where an onboarding does not go on. */
export const remedies: Readonly<Record<string, string>> = {
  REQUESTOR_ID_INVALID:
    'The requestor has no ACTIVE proxy for this person (section 5): give it one on the platform, or set another requestor in cdk.json; then retry.',
  REQUESTOR_NOT_ACTIVE:
    'The platform refuses the requestor until it is ACTIVE (section 5): it goes on by itself then. Where persons cannot identify themselves before, set a requestor with a proxy in cdk.json.',
  VALIDATION_ERROR:
    'The platform refuses the identification although the requestor is ACTIVE: ask its support, then retry.',
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
  REQUEST_DELETED: 'What it would need was deleted when it ended: request it again with other data.',
};

/** How to put right what a reason says; undefined where it says all there is to know. */
export function remedyFor(code: string): string | undefined {
  if (code.startsWith('IDENTIFICATION_')) return 'The video call did not identify the person: retry for another one.';
  return Object.hasOwn(remedies, code) ? remedies[code] : undefined;
}
