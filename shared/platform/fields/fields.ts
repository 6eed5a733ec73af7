import * as z from 'zod/mini';
import type { SentFields } from '#shared/platform/profile/sent-fields.ts';
import { countryCodes, euLanguages } from './codes.ts';
import { isLocal } from './local-host.ts';

/** Fields of what is sent. Each says which rule it checks; messages name the rule, never the value. */

const text = () => z.string({ error: 'must be text' });

/** Identifiers are UUIDs (section 2). */
export const uuid = z.guid({ error: 'must be a UUID (section 2)' });

/** The digits of an id, where the ids of a platform are numbers. */
const digits = z.string().check(z.regex(/^\d{1,64}$/));

/** An id that the platform has given: a UUID, or the digits of a number. */
export const platformId = z.union([uuid, digits], { error: 'must be a UUID (section 2)' });

/** The id of the natural person on whose behalf a call is made (section 5). */
export const requestorId = z.union([uuid, digits], { error: 'must be the UUID of a natural person (section 5)' });

const wholeText = text().check(
  z.minLength(1, 'must not be empty'),
  z.refine((words) => words.isWellFormed(), 'must be Unicode text'),
);

/** A text of a person or of an identification: as long as the profile allows. */
export function sentText({ maxTextLength }: SentFields, { minLength, maxLength = maxTextLength }: Lengths = {}) {
  const least = minLength === undefined ? [] : [z.minLength(minLength, `must have ${minLength} characters or more`)];
  return maxLength === undefined ? wholeText.check(...least) : words(maxLength).check(...least);
}

type Lengths = { readonly minLength?: number | undefined; readonly maxLength?: number | undefined };

/** An enum of which the specification shows some words only (section 2.6): any text may be a word, unless the profile says more. */
export function sentWord({ hasCapitalEnums = false }: SentFields) {
  return hasCapitalEnums ? enumWord : anyWord;
}

const anyWord = text().check(z.refine((word) => word !== '' && word.isWellFormed(), 'must be a word'));

/** Text that is not empty, of so many characters at the most, and of whole ones: half a surrogate pair is none. */
export function words(most = 255) {
  return wholeText.check(z.maxLength(most, `must have ${most} characters at most`));
}

/** An id of which the specification does not say that it is a UUID, as a part of a path. */
export const pathSegment = words().check(z.refine((id) => !/^\.{1,2}$/.test(id), 'must be an identifier (section 4)'));

/** A path below {base_url}: nothing that would lead to another place, or another host. */
export const pathBelowBase = text().check(
  z.regex(/^\/[!$-[\]-~]*$/, 'must begin with a slash, and be encoded'),
  z.refine((path) => !/\/(\.|%2e){1,2}([/?]|$)/i.test(path), 'must not have a part that is . or ..'),
);

/** The items of a page (sections 4 and 8). */
export const pageLimit = z.int({ error: 'must be a whole number' }).check(z.positive('must be above 0'));

/** Nothing that URL parsers fix silently, such as `https:host`, or a line break. */
export const httpsUrl = text().check(z.refine(isHttps, 'must be HTTPS, and encoded'));

/** The same, or plain HTTP to this machine: for a platform that runs on it, the sandbox's. */
export const httpsOrLocalUrl = text().check(
  z.refine((url) => isHttps(url) || (/^http:\/\/[!-~]+$/i.test(url) && isLocal(url)), 'must be HTTPS, and encoded'),
);

function isHttps(url: string): boolean {
  return /^https:\/\/[!-~]+$/i.test(url) && URL.canParse(url);
}

/** `date` fields are ISO 8601 calendar dates (section 2). */
export const date = z.iso.date({ error: 'must be an ISO 8601 calendar date such as 2026-11-21 (section 2)' });

export const countryCode = text().check(
  z.refine((code) => countryCodes.has(code), 'must be an ISO 3166-1 alpha-2 country code (section 2)'),
);

export const language = text().check(
  z.refine((code) => euLanguages.has(code), 'must be the ISO 639-1 code of an EU language (section 2)'),
);

/** All first names as on the identification document (section 2.4). */
export function firstName(limits: SentFields) {
  return sentText(limits).check(z.regex(/^\S+( \S+)*$/, 'must be words with one space between them (section 2.4)'));
}

/** A word in capitals. */
export const enumWord = text().check(
  z.regex(/^[A-Z][A-Z0-9_]*$/, 'must be a word in capitals such as MARRIED (section 2.4)'),
);

export const amount = z.number({ error: 'must be a number (section 2.4)' });

export const flag = z.boolean({ error: 'must be true or false (section 2.4)' });
