import * as z from 'zod';

/** Of the form of an ISIN (ISO 6166). Whether there is such an asset is another question. */
export const isin = z.string().regex(/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/, { error: 'must be an ISIN', abort: true });

/** The ISIN of eleven letters and digits: with its check digit. */
export function withCheckDigit(body: string): string {
  const digits = [...body].map((character) => Number.parseInt(character, 36)).join('');
  const sum = [...digits]
    .toReversed()
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
    .reduce((total, product) => total + Math.trunc(product / 10) + (product % 10), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

/** Whether the last digit is the check digit of the others. */
export function hasCheckDigit(text: string): boolean {
  return withCheckDigit(text.slice(0, -1)) === text;
}
