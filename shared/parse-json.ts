import { parseExactJson } from './platform/fields/parse-untrusted.ts';

/** The value of a JSON text; undefined where the text is no JSON. No error leaves: a SyntaxError quotes the text. */
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
