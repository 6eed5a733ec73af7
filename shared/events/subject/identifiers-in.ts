import { fieldsIn, idAt, stringAt } from './json-fields.ts';

/** By what a body names persons, or may do so. They may be personal data. */
export type Names = {
  /** What may be the platform's id of a person, or of a verification. */
  readonly ids: readonly string[];
  /** The partner's ids of persons. */
  readonly externalIds: readonly string[];
};

/** As each is looked up, and is a row of the index: a list of prices may hold thousands of UUIDs. */
const most = 100;

/**
 * By what a body may name persons of whom it does not say that it speaks: fields whose names say so, and every UUID,
 * in every place. The first 100 of each. Takes linear time for every body.
 */
export function identifiersIn(body: Uint8Array): Names {
  const text = Buffer.from(body).toString();
  const ids = new Set(personFieldsIn(text, /(?:person|verification)(?:id)?$/i));
  for (const [uuid] of text.matchAll(/[\da-f]{8}(?:-[\da-f]{4,12}){4}/gi)) {
    if (ids.size >= most) break;
    ids.add(uuid.toLowerCase());
  }
  const externalIds = new Set<string>();
  for (const { name, valueAt } of fieldsIn(text))
    if (name.toLowerCase() === 'externalid' && externalIds.size < most) add(externalIds, stringAt(text, valueAt));
  return { ids: [...ids], externalIds: [...externalIds] };
}

/** The platform's ids of the persons to whom a record of business refers: the first 100. */
export function personIdsIn(body: Uint8Array): readonly string[] {
  return personFieldsIn(Buffer.from(body).toString(), /personid$/i);
}

function personFieldsIn(text: string, names: RegExp): readonly string[] {
  const ids = new Set<string>();
  for (const { name, valueAt } of fieldsIn(text))
    if (ids.size < most && names.test(name)) add(ids, idAt(text, valueAt));
  return [...ids];
}

function add(values: Set<string>, value: string | undefined): void {
  if (value !== undefined) values.add(value);
}
