/** Planted in personal data: words that stand nowhere else. The second where a field takes digits, or few characters. */
export const canaries = ['Canarybird', '555019955'] as const;

/** Planted in the partner's ids of persons, which may be personal data, too. */
export const externalIdCanary = 'Crossbill';

/** Whether a text holds one of the words: in any case, or in the middle of something in Base64. */
export function canaryFinder(words: readonly string[]): (text: string) => boolean {
  const plain = new RegExp(words.join('|'), 'i');
  const encoded = new RegExp(words.flatMap(formsInBase64).map(RegExp.escape).join('|'));
  return (text) => plain.test(text) || encoded.test(text);
}

/** What Base64 makes of a word after any number of bytes, but for the characters that depend on what is around it. */
function formsInBase64(word: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const text = Buffer.from(`${'?'.repeat(before)}${word}`).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + word.length) * 8) / 6));
  });
}
