import { fieldsIn, stringAt } from '#shared/entities/json-fields.ts';
import { uuid } from '#shared/platform/fields.ts';

/** What a person is named by: its externalId, and the platform's ids of it and of its verifications. */
export type PersonNames = { readonly externalId: string; readonly ids: readonly string[] };

/**
 * Whether a body names the person. A UUID is found wherever it stands, in bytes that are no JSON as well; any other id as a
 * whole value of the JSON, and the externalId as the value of a field of that name, since as a text it could be any word: in
 * what is no JSON, too, where it is written as it would be there, such as in a body that was cut off.
 */
export function createNamesPerson({ externalId, ids }: PersonNames): (body: Uint8Array) => boolean {
  const uuids = ids.filter((id) => uuid.safeParse(id).success).map((id) => id.toLowerCase());
  const others = new Set(ids.filter((id) => !uuid.safeParse(id).success));
  return (body) => {
    const text = Buffer.from(body).toString();
    const lowerCase = text.toLowerCase();
    if (uuids.some((id) => lowerCase.includes(id)) || hasExternalId(text, externalId)) return true;
    return some(text, (key, value) => others.has(value) || (key === 'externalId' && value === externalId));
  };
}

function hasExternalId(text: string, externalId: string): boolean {
  for (const { name, valueAt } of fieldsIn(text))
    if (name === 'externalId' && stringAt(text, valueAt) === externalId) return true;
  return false;
}

/**
 * Bodies within the text of other bodies. An undelivered webhook that is kept as it came holds its body as a text, and that
 * body can hold another. Without a bound, each level would parse the rest of the body again.
 */
const maxNestedBodies = 3;

/** Whether it holds for a field of the JSON. Without recursion: nothing bounds how deep a body is nested. */
function some(text: string, holds: (key: string | undefined, value: string) => boolean): boolean {
  const left: [key: string | undefined, value: unknown, nesting: number][] = [[undefined, parse(text), 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [key, value, nesting] = next;
    if (typeof value === 'string' || typeof value === 'number') {
      if (holds(key, String(value))) return true;
      if (typeof value === 'string' && nesting < maxNestedBodies && /^\s*[{[]/.test(value))
        left.push([undefined, parse(value), nesting + 1]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, child] of Object.entries(value)) left.push([name, child, nesting]);
    }
  }
  return false;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
