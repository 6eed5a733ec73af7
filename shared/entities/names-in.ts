/** By what a body names persons, or may do so. They may be personal data. */
export type Names = {
  /** What may be the platform's id of a person, or of a verification. */
  readonly ids: readonly string[];
  /** The partner's ids of persons. */
  readonly externalIds: readonly string[];
};

// Values of fields of JSON. What stands around them may be none, such as where a body was cut off.
const id = /(?<="\w*(person|verification)Id"\s*:\s*"?)[a-z\d][\w.~:-]{0,127}/gi;
const externalId = /(?<="externalId"\s*:\s*)"([^"\\\p{Cc}]|\\(["\\/bfnrt]|u[\da-f]{4}))*"/giu;
// What only resembles one is looked up in vain.
const anyUuid = /[\da-f]{8}(-[\da-f]{4,12}){4}/gi;

/** As each is looked up: a list of prices may hold thousands of UUIDs. */
const most = 20;

/**
 * By what a body may name persons of whom it does not say that it speaks: fields whose names say so, and every UUID,
 * wherever it stands. The first 20 of each.
 */
export function namesIn(body: Uint8Array): Names {
  const written = Buffer.from(body).toString();
  // An undelivered webhook that is kept as it came holds its body as a text.
  const text = `${written}\n${written.replace(/\\"/g, '"')}`;
  const find = (pattern: RegExp) => [...new Set(text.match(pattern))].slice(0, most);
  return {
    ids: [...find(id), ...find(anyUuid).map((one) => one.toLowerCase())],
    externalIds: find(externalId).map((value) => `${JSON.parse(value)}`),
  };
}
