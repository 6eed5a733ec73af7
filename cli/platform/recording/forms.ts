import { typedKeys } from '#cli/command/typed-keys.ts';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { isObject, parseJson } from '#shared/parse-json.ts';
import { countryCodes, date, euLanguages, uuid } from '#shared/platform/fields/fields.ts';
import { receivedFlag, receivedNumber, word } from '#shared/platform/fields/received.ts';
import { readTimeOfOrder, timestamp } from '#shared/platform/fields/timestamp.ts';

/**
 * How a value of the platform is written, in the order in which the forms are tried. `sample` is a value of the form: a comparison gives
 * the sample to the readers of Drawbridge in place of the value, which no recording has.
 */
const textForms = {
  'empty text': { sample: '', has: (text: string) => text === '' },
  uuid: { sample: '0190a6f0-5678-7abc-8def-0123456789ab', has: (text: string) => uuid.safeParse(text).success },
  'date-time': { sample: '2026-01-02T03:04:05Z', has: (text: string) => timestamp.safeParse(text).success },
  'date-time, not ISO 8601': {
    sample: '2026-01-02 03:04:05+01',
    has: (text: string) => readTimeOfOrder(text, {}) !== undefined,
  },
  'date-time without a zone': {
    sample: '2026-01-02T03:04:05',
    has: (text: string) => readTimeOfOrder(text, { zone: 'UTC' }) !== undefined,
  },
  date: { sample: '2026-01-02', has: (text: string) => date.safeParse(text).success },
  'digits like seconds': { sample: '1767323045', has: (text: string) => isDigits(text) && isSeconds(Number(text)) },
  'digits like milliseconds': {
    sample: '1767323045500',
    has: (text: string) => isDigits(text) && isMilliseconds(Number(text)),
  },
  digits: { sample: '7', has: (text: string) => isDigits(text) },
  'number as a text': { sample: '1.5', has: (text: string) => receivedNumber.safeParse(text).success },
  'true or false as a text': { sample: 'true', has: (text: string) => receivedFlag.safeParse(text).success },
  'country code': { sample: 'DE', has: (text: string) => countryCodes.has(text) },
  'language code': { sample: 'de', has: (text: string) => euLanguages.has(text) },
  url: { sample: 'https://example.org/', has: (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text) },
  'JSON as a text': { sample: '{}', has: (text: string) => /^\s*[[{]/.test(text) && parseJson(text) !== undefined },
  'word in capitals': { sample: 'WORD', has: (text: string) => platformCode.safeParse(text).success },
  // The sample is the one word of the specification that is not in capitals (section 5).
  word: { sample: 'Bearer', has: (text: string) => word.safeParse(text).success },
  'text without a space': { sample: 'a/b', has: (text: string) => /^\S+$/.test(text) },
  text: { sample: 'a text', has: () => true },
} as const;

const otherForms = {
  null: { sample: null },
  'true or false': { sample: true },
  'number like seconds': { sample: 1_767_323_045 },
  'number like milliseconds': { sample: 1_767_323_045_500 },
  'whole number': { sample: 7 },
  number: { sample: 1.5 },
  object: { sample: {} },
  array: { sample: [] },
} as const;

type TextForm = keyof typeof textForms;
export type Form = TextForm | keyof typeof otherForms;

const all = { ...textForms, ...otherForms };

export const forms = typedKeys(all);
const formsOfTexts = typedKeys(textForms);

export function formOf(value: unknown): Form {
  if (typeof value === 'string') return formsOfTexts.find((form) => textForms[form].has(value)) ?? 'text';
  if (typeof value === 'boolean') return 'true or false';
  if (typeof value === 'number') return formOfNumber(value);
  if (Array.isArray(value)) return 'array';
  return isObject(value) ? 'object' : 'null';
}

/** A value of this form that is of no person. */
export function sampleOf(form: Form): unknown {
  return all[form].sample;
}

function formOfNumber(value: number): Form {
  if (!Number.isInteger(value)) return 'number';
  if (isSeconds(value)) return 'number like seconds';
  return isMilliseconds(value) ? 'number like milliseconds' : 'whole number';
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** From 2001 to 2286. */
function isSeconds(value: number): boolean {
  return value >= 1_000_000_000 && value < 10_000_000_000;
}

function isMilliseconds(value: number): boolean {
  return value >= 1_000_000_000_000 && value < 10_000_000_000_000;
}
