/** A number as the text writes it: a double cannot hold every one. */
export class JsonNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export type JsonMembers = { readonly [name: string]: Json };

export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonMembers;

const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === 'number' ? new JsonNumber(context?.source ?? String(value)) : value;

/** The value of a JSON text, with every digit of a number; undefined if the text is not JSON. */
export function readJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text, keepDigits);
    return value;
  } catch {
    return undefined;
  }
}

/** The members of an object, and the items of an array without names; undefined for any other value. */
export function membersOf(value: Json): readonly (readonly [name: string | undefined, member: Json])[] | undefined {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return undefined;
  return isList(value) ? value.map((item) => [undefined, item] as const) : Object.entries(value);
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A value that has no members. */
export function writePlain(value: Json): string {
  return value instanceof JsonNumber ? value.digits : JSON.stringify(value);
}

/** Writes JSON with a member on each line. */
export function writeJson(value: Json, indent = ''): string {
  const members = membersOf(value);
  const [open, close] = isList(value) ? '[]' : '{}';
  if (members === undefined) return writePlain(value);
  if (members.length === 0) return `${open}${close}`;
  const inner = `${indent}  `;
  const lines = members.map(
    ([name, member]) => `${inner}${name === undefined ? '' : `${JSON.stringify(name)}: `}${writeJson(member, inner)}`,
  );
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
