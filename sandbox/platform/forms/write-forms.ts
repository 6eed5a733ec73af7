import { isObject } from '#shared/parse-json.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import type { AnswerForms } from './answer-forms.ts';

/** What says how the platform writes: its setting, and the words and times of the profile. */
export type WrittenBy = {
  readonly forms: AnswerForms;
  readonly profile: Pick<PlatformProfile, 'times' | 'verificationWords'>;
};

type Fields = Readonly<Record<string, unknown>>;

/** Writes a resource, or what holds resources. */
export function writeResource(resource: Fields, by: WrittenBy): Fields {
  const { forms } = by;
  const isVerification = 'identificationVerificationId' in resource;
  const isUnverified = 'naturalPersonStatus' in resource && !('verifiedOn' in resource);
  const fields = Object.entries(resource).map(([name, value]) => [
    name,
    writeValue(name, isVerification && name === 'status' ? wordOf(value, by) : value, by),
  ]);
  return Object.fromEntries([...fields, ...(forms.emptyTimes && isUnverified ? [['verifiedOn', '']] : [])]);
}

/** @param name of the field: of the members, if the value is a list */
export function writeValue(name: string, value: unknown, by: WrittenBy): unknown {
  const { forms } = by;
  if (Array.isArray(value)) return value.map((member) => writeValue(name, member, by));
  if (isObject(value)) return writeResource(value, by);
  if (typeof value === 'number') return forms.numbers === 'TEXTS' ? String(value) : value;
  if (typeof value === 'boolean') return forms.booleans === 'TEXTS' ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (/^\w+On$/.test(name)) return writeTime(value, by);
  if (/^(s|\w+S)tatus$/.test(name) && forms.statuses === 'OBJECTS') return { code: value, name: labelOf(value) };
  return value;
}

/** IN_REVIEW as `In review`. */
function labelOf(word: string): string {
  return `${word.slice(0, 1)}${word.slice(1).toLowerCase().replaceAll('_', ' ')}`;
}

/** The status of a verification, in the words of the profile: the first of their list if the list has not the word itself. */
function wordOf(status: unknown, { profile: { verificationWords = {} } }: WrittenBy): unknown {
  const { success = ['APPROVED'], waiting = ['RECEIVED', 'PENDING'] } = verificationWords;
  const isSuccess = status === 'APPROVED';
  if (!isSuccess && status !== 'RECEIVED' && status !== 'PENDING') return status;
  const words = isSuccess ? success : waiting;
  return words.includes(status) ? status : (words[0] ?? status);
}

const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)Z$/;

/** What is not a time in UTC is left as it is. */
function writeTime(text: string, { forms, profile: { times } }: WrittenBy): unknown {
  const [, , seconds = ''] = dateTime.exec(text) ?? [];
  const milliseconds = Date.parse(text);
  if (forms.times === 'UTC' || seconds === '' || Number.isNaN(milliseconds)) return text;
  if (forms.times === 'NUMBERS') {
    const count = times.unit === 'milliseconds' ? milliseconds : Math.floor(milliseconds / 1_000);
    return forms.numbers === 'TEXTS' ? String(count) : count;
  }
  const minute = localMinute(milliseconds, times.zone ?? 'UTC');
  return forms.times === 'LOCAL' ? `${minute}${seconds}` : minute;
}

function localMinute(milliseconds: number, timeZone: string): string {
  // Swedish dates are written as those of RFC 3339.
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return format.format(milliseconds).replace(' ', 'T');
}
