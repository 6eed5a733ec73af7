/** Whether a number of JSON can continue, or begin, with it. */
export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

const numberCharacters = /[-+.\deE]+/y;

/** The number that begins there in a JSON text that parses, as it is written. */
export function numberAt(text: string, start: number): string {
  numberCharacters.lastIndex = start;
  return numberCharacters.exec(text)?.[0] ?? '-';
}

/** No double has more digits than 767, an exponent aside: what is longer is not exact, and not worth the time. */
const maxNumberLength = 1_000;

/** Whether a double keeps every digit that was written. */
export function isExact(written: string): boolean {
  if (written.length > maxNumberLength) return false;
  const value = Number(written);
  return Number.isFinite(value) && digits(written) === digits(String(value));
}

/** The significant digits and their power of ten: the same for every way to write the same number. */
function digits(written: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written) ?? [];
  const significant = `${whole}${fraction}`.replace(/^0+/, '');
  if (significant === '') return '0';
  const trimmed = withoutTrailingZeros(significant);
  const power = Number(exponent) - fraction.length + significant.length - trimmed.length;
  return `${trimmed}e${power}`;
}

/** Not by an expression such as 0+$, which searches for the end of the text again from each zero. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
