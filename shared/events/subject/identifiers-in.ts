import { isObject } from '#shared/entities/object-fields.ts';
import { parseJsonExactly } from '#shared/parse-json.ts';

/** As each is looked up, and is a row of the index: a list of prices may hold thousands of UUIDs. */
const most = 100;

/**
 * What may be the platform's id of a person or of a verification: the values of fields whose names say so, where the body is JSON, and every
 * UUID, in every place of any text. The first 100. They may be personal data.
 */
export function identifiersIn(body: Uint8Array): readonly string[] {
  const text = Buffer.from(body).toString();
  const ids = new Set(
    valuesOf(text, /(?:person|verification)id$|^(?:natural)?person$|^(?:identification)?verification$/i),
  );
  for (const [uuid] of text.matchAll(/[\da-f]{8}(?:-[\da-f]{4,12}){4}/gi)) {
    if (ids.size >= most) break;
    ids.add(uuid.toLowerCase());
  }
  return [...ids].slice(0, most);
}

/** The platform's ids of the persons to whom a record of business refers: the first 100. */
export function personIdsIn(body: Uint8Array): readonly string[] {
  return [...valuesOf(Buffer.from(body).toString(), /personid$/i)].slice(0, most);
}

const id = /^[a-z\d][\w.~:-]{0,127}$/i;

/** The ids in fields of these names, in every place, also of JSON that is a text in other JSON. Without recursion. */
function valuesOf(text: string, names: RegExp): ReadonlySet<string> {
  const ids = new Set<string>();
  const left: [name: string, value: unknown][] = [['', parseJsonExactly(text)]];
  for (const [name, value] of left) {
    const written = typeof value === 'number' ? String(value) : value;
    if (typeof written === 'string' && names.test(name) && id.test(written)) ids.add(written);
    if (typeof value === 'string' && /^\s*[[{]/.test(value)) left.push([name, parseJsonExactly(value)]);
    // What stands in a list has the name of the list.
    else if (Array.isArray(value)) for (const item of value) left.push([name, item]);
    // The id of an object is that of what its field names.
    else if (isObject(value))
      for (const [key, item] of Object.entries(value)) left.push([key === 'id' ? name : key, item]);
  }
  return ids;
}

/**
 * The words of a text that is no JSON: what stands between white space, quotes, backslashes and the punctuation of JSON, XML and URLs. An id with
 * such a character in it is no word.
 */
export function wordsIn(body: Uint8Array): ReadonlySet<string> {
  return new Set(
    Buffer.from(body)
      .toString()
      .match(/[^\s"'\\,:;{}[\]<>()=&/]+/g),
  );
}
