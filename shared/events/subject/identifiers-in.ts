import { fieldsIn, idAt, stringAt } from './json-fields.ts';

/** By what a body names persons, or may do so. They may be personal data. */
export type Names = {
  /** What may be the platform's id of a person, or of a verification. */
  readonly ids: readonly string[];
  /** The partner's ids of persons. */
  readonly externalIds: readonly string[];
};

/** As each is looked up: a list of prices may hold thousands of UUIDs. */
const most = 20;

/**
 * By what a body may name persons of whom it does not say that it speaks: fields whose names say so, and every UUID,
 * in every place. The first 20 of each. Takes linear time for every body.
 */
export function identifiersIn(body: Uint8Array): Names {
  const text = Buffer.from(body).toString();
  const ids = new Set<string>();
  const externalIds = new Set<string>();
  for (const { name, valueAt } of fieldsIn(text)) {
    const lowerCase = name.toLowerCase();
    const isId = lowerCase.endsWith('personid') || lowerCase.endsWith('verificationid');
    if (isId && ids.size < most) add(ids, idAt(text, valueAt));
    else if (lowerCase === 'externalid' && externalIds.size < most) add(externalIds, stringAt(text, valueAt));
  }
  return { ids: [...ids, ...uuidsIn(text)], externalIds: [...externalIds] };
}

function add(values: Set<string>, value: string | undefined): void {
  if (value !== undefined) values.add(value);
}

/** A text that only resembles a UUID costs one read and finds nothing. */
function uuidsIn(text: string): ReadonlySet<string> {
  const uuids = new Set<string>();
  for (const [uuid] of text.matchAll(/[\da-f]{8}(?:-[\da-f]{4,12}){4}/gi)) {
    uuids.add(uuid.toLowerCase());
    if (uuids.size === most) break;
  }
  return uuids;
}
