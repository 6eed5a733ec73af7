/** Control characters of C0 and C1 but tab and line end. A line end of Windows stays whole. */
const controlCharacters = /\r(?!\n)|[^\P{Cc}\t\r\n]/gu;

/** What `JSON.stringify` leaves as it is: a terminal takes U+009B for the begin of a control sequence. */
const unescapedByJson = /[\u007f-\u009f]/g;

/** A text for a terminal: a control character moves no cursor and hides nothing, since its code is shown. Lines stay. */
export function visibleText(text: string): string {
  return text.replace(controlCharacters, escaped);
}

/** A text for one line of a terminal. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\t\r\n]+/g, ' '));
}

/** JSON that a terminal shows as it is. */
export function visibleJson(json: string): string {
  return json.replace(unescapedByJson, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
