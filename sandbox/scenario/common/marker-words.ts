/** Words for personal data that occur nowhere else. The second is for fields of digits, or of few characters. */
export const markerWords = ['Canarybird', '555019955'] as const;

/** The marker word in the partner's externalIds, which can be personal data as well. */
export const externalIdMarker = 'Crossbill';

/** Tells whether a text contains one of the words, in upper or lower case or inside Base64. */
export function markerFinder(words: readonly string[]): (text: string) => boolean {
  const plain = new RegExp(words.join('|'), 'i');
  const encoded = new RegExp(words.flatMap(formsInBase64).map(RegExp.escape).join('|'));
  return (text) => plain.test(text) || encoded.test(text);
}

/** The Base64 forms of a word at each byte offset, without the characters that depend on the surrounding bytes. */
function formsInBase64(word: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.from(`${'?'.repeat(before)}${word}`).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + word.length) * 8) / 6));
  });
}
