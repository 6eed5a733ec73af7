import { parseExactJson } from './platform/fields/parse-untrusted.ts';

/** An object of a payload: it is never trusted to have a shape. */
export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member of this name; never what every object inherits, such as `constructor`. */
export function own<Value>(fields: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The value of a JSON text; undefined if the text is not JSON. No error leaves: a SyntaxError quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As {@link parseJson}, with every digit of a number: one that a double cannot hold is the text of its digits. */
export function parseJsonExactly(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
