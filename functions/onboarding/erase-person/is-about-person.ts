import { parseJson } from '#shared/parse-json.ts';
import { uuid } from '#shared/platform/fields/fields.ts';

/**
 * Whether a body names the person, or one of its verifications, by the platform's id. A UUID is found in every place, in
 * bytes that are no JSON as well; any other id as a whole value of the JSON.
 */
export function createIsAboutPerson(ids: readonly string[]): (body: Uint8Array) => boolean {
  const uuids = ids.filter(isUuid).map(lowerCaseUuid);
  const others = new Set(ids.filter((id) => !isUuid(id)));
  return (body) => {
    const text = Buffer.from(body).toString();
    const lowerCase = text.toLowerCase();
    if (uuids.some((id) => lowerCase.includes(id))) return true;
    return others.size > 0 && some(text, (value) => others.has(value));
  };
}

/** The same UUID can be written in capitals; any other id is another one then. */
export function lowerCaseUuid(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

function isUuid(id: string): boolean {
  return uuid.safeParse(id).success;
}

/**
 * Bodies within the text of other bodies. An undelivered webhook that is kept as it came holds its body as a text, and that
 * body can hold another. Without a bound, each level would parse the rest of the body again.
 */
const maxNestedBodies = 3;

/** Whether it holds for a value of the JSON. Without recursion: nothing bounds how deep a body is nested. */
function some(text: string, holds: (value: string) => boolean): boolean {
  const left: [value: unknown, nesting: number][] = [[parseJson(text), 0]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [value, nesting] = next;
    if (typeof value === 'string' || typeof value === 'number') {
      if (holds(String(value))) return true;
      if (typeof value === 'string' && nesting < maxNestedBodies && /^\s*[{[]/.test(value))
        left.push([parseJson(value), nesting + 1]);
    } else if (typeof value === 'object' && value !== null) {
      for (const child of Object.values(value)) left.push([child, nesting]);
    }
  }
  return false;
}
