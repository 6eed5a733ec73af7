/** The value of a JSON text; undefined where the text is no JSON. No error leaves: a SyntaxError quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
