import * as z from 'zod/mini';

const length = z.int().check(z.positive(), z.maximum(10_000));

const lengths = z.strictObject({ minLength: z.optional(length), maxLength: z.optional(length) });

/** What a platform requires of sent fields, and the specification does not state. Nothing of it is checked unless it is set. */
export const sentFields = z.strictObject({
  /** In characters: of every text of a person and of an identification. */
  maxTextLength: z.optional(length),
  zip: z.optional(lengths),
  phone: z.optional(lengths),
  /** Whether a word of an enum must be in capitals. */
  hasCapitalEnums: z.optional(z.boolean()),
  /** Whether names and values of a webhook's headers must be printable ASCII. */
  hasAsciiHeaders: z.optional(z.boolean()),
});

export type SentFields = Readonly<z.output<typeof sentFields>>;

/** ISO 3166-1 alpha-2 (section 2): the 249 officially assigned codes. */
export const countryCodes: ReadonlySet<string> = new Set(
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
  BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
  ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
  HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
  LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
  NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
  SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
  UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s+/),
);

/** ISO 639-1 codes of the official languages of the EU (section 2). */
export const euLanguages: ReadonlySet<string> = new Set(
  'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(' '),
);

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a URL leads to this machine, like the URL of the sandbox's platform. */
export function isLocal(url: string): boolean {
  return URL.canParse(url) && localHosts.has(new URL(url).hostname);
}

/**
 * {base_url} or {auth_url} (section 5.5), without a slash at its end: paths are put behind it as they are. Plain http
 * only to this machine, since credentials and tokens go there.
 */
export const platformUrl = z
  .string()
  .check(
    z.refine(
      isPlatformUrl,
      'must be an https URL without a slash at its end, a query or a password; http to localhost only',
    ),
  );

function isPlatformUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return false;
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(text));
  // What the parser fixes, or keeps elsewhere, makes it another text.
  return isSafe && `${url.origin}${url.pathname}`.replace(/\/$/, '') === text;
}

/** Fields of what is sent. Each says which rule it checks; messages name the rule, never the value. */

const text = () => z.string({ error: 'must be text' });

/** Identifiers are UUIDs (section 2). */
export const uuid = z.guid({ error: 'must be a UUID (section 2)' });

/** The digits of an id, if the ids of a platform are numbers. */
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

/** Text that is not empty, of at most so many characters, without half surrogate pairs. */
export function words(most = 255) {
  return wholeText.check(z.maxLength(most, `must have ${most} characters at most`));
}

/** An id as a part of a path. The specification does not say that the id is a UUID. */
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
