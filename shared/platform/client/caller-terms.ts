/**
 * The terms by which an error names the Requestor-ID (section 5) or the rights of the caller. Each expression is for the words of
 * {@link wordsOf}, and repeats nothing without a limit, so that a search takes linear time.
 */

/** @param words of a text, or of the name of a field, by {@link wordsOf} */
export function hasRequestor(words: string): boolean {
  return / (?:request[oe]rs?|requestorids?) /.test(words);
}

/** Whether a field is the Requestor-ID, such as `Requestor-ID`, `requestor_id` or `header.requestorId`. */
export function isRequestorField(name: string): boolean {
  return / request[oe]r ?(?:id )?$/.test(wordsOf(name));
}

/** @param words of a text, by {@link wordsOf}. The name of a field may sound like rights, and is about the data. */
export function hasRights(words: string): boolean {
  return termsOfRights.some((term) => term.test(words));
}

// A value can be allowed, permitted, authorized or forbidden as well, and `right` is no noun in `not the right format`.
const termsOfRights = [
  // Of section 5. `proxyName` is the name of a field.
  / prox(?:y|ies) (?!names? )/,
  / (?:entitled?|entitles|entitlements?|on behalf of) /,
  /^ (?:error )?not ?(?:allowed|permitted) $/,
  / (?:you|callers?|clients?|partners?|users?|accounts?|applications?|token) (?:is |are |was |were )?not ?(?:allowed|permitted) /,
  / (?:access|operations?|actions?|requests?) (?:is |are |was |were )?not ?(?:allowed|permitted) /,
  / not ?(?:allowed|permitted) for (?:your? |the |this )?(?:you|callers?|clients?|partners?|users?|accounts?|applications?|token) /,
  / not ?(?:allowed|permitted) to (?!(?:be|begin|consist|contain|end|equal|exceed|have|include|match|start) )[a-z]/,
  / (?:unauthori[sz]ed|not ?authori[sz]ed) (?!(?:characters?|digits?|symbols?|values?|words?) )/,
  / authori[sz]ation (?:is |was |has )?(?:denied|failed|missing|required) /,
  /^ (?:error )?(?:http )?(?:403 )?forbidden $/,
  /^ (?:error )?(?:403 )?forbidden (?:access|operations?|actions?|requests?|error|exception) /,
  / (?:access|operations?|actions?|requests?) forbidden (?!(?:characters?|digits?|symbols?|values?|words?) )/,
  /(?<! (?:characters?|digits?|symbols?|values?|words?)) (?:is|are) forbidden (?!(?:characters?|digits?|symbols?|values?|words?) )/,
  / access ?(?:is |was )?denied /,
  / (?:no|without|lacks?|not have) access /,
  // A permission may be a field of the person, such as `residencePermission`: it counts where the text says that it is lacking.
  / (?:no|missing|insufficient|sufficient|enough|lacks?|lacking|without|have|has|necessary|required?|requires) ?(?:(?:a|the|any|all|access|active|appropriate|client|enough|necessary|needed|required|sufficient|user) ){0,3}(?:permissions?|privileges?|rights|right to|roles?|scopes?) /,
  / (?:permission|privilege)s? ?(?:is |was )?denied /,
  // The first words of a text: nothing says that the permission is another one.
  /^ (?:error )?(?:(?:the|your) )?(?:permissions?|privileges?|rights|right to|roles?|scopes?) ?(?:is |are |was |were )?(?:missing|required|insufficient) /,
];

/**
 * The words of a text in lower case, each between two spaces, so that codes are read as words: `Requestor-ID`, `requestor_id` and
 * `requestorId` are the same two words.
 */
export function wordsOf(text: string): string {
  const parted = text
    .replaceAll(/n['’]t/g, ' not')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase();
  const words = parted.split(/[^a-z0-9]/).filter((word) => word !== '');
  return ` ${words.join(' ')} `;
}
