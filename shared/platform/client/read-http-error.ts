import * as z from 'zod/mini';
import { maxNamedFields, type PlatformCondition, PlatformHttpError } from './errors.ts';
import { type PlatformAnswer, parseBody, text, textOf } from './http.ts';

/** What the texts of an error body say, wherever in the body they are: its shape is not specified (section 7). */
export type ErrorMeaning = {
  /** The condition about the requestor that a text names. */
  readonly names: Extract<PlatformCondition, 'REQUESTOR_ID_INVALID' | 'VALIDATION_ERROR'> | undefined;
  /** Whether a text names the Requestor-ID, or the rights of the caller. */
  readonly isAboutCaller: boolean;
};

/** What is read of a body at most: an error says what it is near its beginning. */
const maxima = { values: 1_000, depth: 20, characters: 10_000 } as const;

/** @param body as parsed, or the text of a body that is not JSON; its shape is not trusted */
export function readMeaning(body: unknown): ErrorMeaning {
  const found = textsOf(body).map(({ text, isField }) => ({ text: text.slice(0, maxima.characters), isField }));
  const texts = found.map(({ text }) => text.toLowerCase());
  const squeezed = texts.map(squeeze);
  const someHas = (...words: readonly string[]) => squeezed.some((text) => words.every((word) => text.includes(word)));
  return {
    names: conditionIn(texts, someHas),
    isAboutCaller: found.some(isAboutCaller),
  };
}

function isAboutCaller({ text, isField }: BodyText): boolean {
  const words = wordsOf(text);
  return hasRequestor(words) || (!isField && hasRights(words));
}

/** Whether one text of the body has all of the words. */
type HasWords = (...words: readonly string[]) => boolean;

/**
 * `VALIDATION_ERROR` is the specification's word for a requestor that is not ACTIVE. In other spellings, such as the title
 * `Validation error`, it stands for refused data as well, unless the body names the requestor.
 */
function conditionIn(texts: readonly string[], someHas: HasWords): ErrorMeaning['names'] {
  if (someHas('requestoridinvalid')) return 'REQUESTOR_ID_INVALID';
  const isValidationError = someHas('validationerror') || someHas('notactive');
  if (texts.some((text) => text.includes('validation_error')) || (someHas('requestor') && isValidationError))
    return 'VALIDATION_ERROR';
  return someHas('requestorid', 'invalid') ? 'REQUESTOR_ID_INVALID' : undefined;
}

function squeeze(text: string): string {
  return text.replaceAll(/[^a-z0-9]/g, '');
}

type Member = {
  readonly value: unknown;
  /** Whether the value is the name of a field: such a name says nothing about the rights of the caller. */
  readonly isField: boolean;
};

type BodyText = { readonly text: string; readonly isField: boolean };

/** The texts of a value, and the names of its fields that are explained, those of the outer levels first. */
function textsOf(body: unknown): readonly BodyText[] {
  const texts: BodyText[] = [];
  let level: readonly Member[] = [{ value: body, isField: false }];
  for (let depth = 0, left: number = maxima.values; level.length > 0 && left > 0 && depth <= maxima.depth; depth += 1) {
    const members = level.slice(0, left);
    left -= members.length;
    const inner: Member[] = [];
    for (const { value, isField } of members) {
      if (typeof value === 'string') texts.push({ text: value, isField });
      else if (inner.length < left) inner.push(...membersOf(value, left, depth));
    }
    level = inner;
  }
  return texts;
}

/** The fields of an error that name the field that is refused, as `errorDetails[].field` does. */
const fieldsThatNameFields: ReadonlySet<string> = new Set(['field', 'parameter', 'path', 'pointer', 'property']);

/** A name in capitals is a code, such as the key of `{"ACCESS_DENIED": ["…"]}`. */
const isCode = (name: string) => name === name.toUpperCase();

function membersOf(value: unknown, most: number, depth: number): readonly Member[] {
  if (Array.isArray(value)) return value.slice(0, most).map((member: unknown) => ({ value: member, isField: false }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .slice(0, most)
    .flatMap(([name, member]) => {
      const content = { value: member, isField: fieldsThatNameFields.has(name) };
      return isExplained(name, member, depth) ? [{ value: name, isField: !isCode(name) }, content] : [content];
    });
}

/**
 * Whether the error is about the field. A field at the top level that has a text or nothing may repeat what was sent, as a requestor
 * with an id does: its name then says nothing about the error. A text that is not an id explains what is wrong with the requestor.
 */
function isExplained(name: string, member: unknown, depth: number): boolean {
  if (typeof member === 'object') return member !== null;
  if (typeof member !== 'string') return false;
  return isRequestorField(name) ? member !== '' && !isId(member) : depth > 0;
}

/** An id is one word with a digit. So `invalid` and `MISSING` are not ids. */
function isId(value: string): boolean {
  return /^[\w-]+$/.test(value) && /\d/.test(value);
}

/**
 * The terms by which an error names the Requestor-ID (section 5) or the rights of the caller. Each expression is for the words of
 * {@link wordsOf}, and repeats nothing without a limit, so that a search takes linear time.
 */

/** @param words of a text, or of the name of a field, by {@link wordsOf} */
function hasRequestor(words: string): boolean {
  return / (?:request[oe]rs?|requestorids?) /.test(words);
}

/** Whether a field is the Requestor-ID, such as `Requestor-ID`, `requestor_id` or `header.requestorId`. */
function isRequestorField(name: string): boolean {
  return / request[oe]r ?(?:id )?$/.test(wordsOf(name));
}

/** @param words of a text, by {@link wordsOf}. The name of a field may sound like rights, and is about the data. */
function hasRights(words: string): boolean {
  return termsOfRights.some((term) => term.test(words));
}

// A value can be allowed, permitted, authorized or forbidden as well, and `right` is not a noun in `not the right format`.
const termsOfRights = [
  // Of section 5. `proxyName` is the name of a field.
  / prox(?:y|ies) (?!names? )/,
  / (?:entitled?|entitles|entitlements?|on behalf of) /,
  /^ (?:error )?not ?(?:allowed|permitted) $/,
  / (?:you|callers?|clients?|partners?|users?|accounts?|applications?|token) (?:is |are |was |were )?not ?(?:allowed|permitted) /,
  / (?:access|operations?|actions?|requests?) (?:is |are |was |were )?not ?(?:allowed|permitted) /,
  / not ?(?:allowed|permitted) for (?:your? |the |this )?(?:you|callers?|clients?|partners?|users?|accounts?|applications?|token) /,
  / not ?(?:allowed|permitted) to (?!(?:be|begin|consist|contain|end|equal|exceed|have|include|match|start) )[a-z]/,
  / (?:unauthori[sz]ed|not ?authori[sz]ed) (?!(?:characters?|digits?|symbols?|values?|words?) )/,
  / authori[sz]ation (?:is |was |has )?(?:denied|failed|missing|required) /,
  /^ (?:error )?(?:http )?(?:403 )?forbidden $/,
  /^ (?:error )?(?:403 )?forbidden (?:access|operations?|actions?|requests?|error|exception) /,
  / (?:access|operations?|actions?|requests?) forbidden (?!(?:characters?|digits?|symbols?|values?|words?) )/,
  /(?<! (?:characters?|digits?|symbols?|values?|words?)) (?:is|are) forbidden (?!(?:characters?|digits?|symbols?|values?|words?) )/,
  / access ?(?:is |was )?denied /,
  / (?:no|without|lacks?|not have) access /,
  // A permission may be a field of the person, such as `residencePermission`: it counts if the text says that it is lacking.
  / (?:no|missing|insufficient|sufficient|enough|lacks?|lacking|without|have|has|necessary|required?|requires) ?(?:(?:a|the|any|all|access|active|appropriate|client|enough|necessary|needed|required|sufficient|user) ){0,3}(?:permissions?|privileges?|rights|right to|roles?|scopes?) /,
  / (?:permission|privilege)s? ?(?:is |was )?denied /,
  // The first words of a text: nothing says that the permission is another one.
  /^ (?:error )?(?:(?:the|your) )?(?:permissions?|privileges?|rights|right to|roles?|scopes?) ?(?:is |are |was |were )?(?:missing|required|insufficient) /,
];

/**
 * The words of a text in lower case, each between two spaces, so that codes are read as words: `Requestor-ID`, `requestor_id` and
 * `requestorId` are the same two words.
 */
export function wordsOf(text: string): string {
  const parted = text
    .replaceAll(/n['’]t/g, ' not')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase();
  const words = parted.split(/[^a-z0-9]/).filter((word) => word !== '');
  return ` ${words.join(' ')} `;
}

/** An entry of `errorDetails`. What it says in words is not kept: it may quote what was sent. */
const detail = z.object({
  field: z.catch(text, undefined),
  errors: z.catch(z.array(z.catch(z.object({ code: z.catch(text, undefined) }), { code: undefined })), []),
});

/** The platform's error body, as far as it is known; the token service's `error` beside it. Every part may be missing. */
export const errorBody = z.object({
  requestId: z.catch(text, undefined),
  errorCode: z.catch(text, undefined),
  code: z.catch(text, undefined),
  error: z.catch(text, undefined),
  message: z.catch(text, undefined),
  detail: z.catch(text, undefined),
  description: z.catch(text, undefined),
  error_description: z.catch(text, undefined),
  title: z.catch(text, undefined),
  errorDetails: z.catch(z.array(z.catch(detail, { field: undefined, errors: [] })), []),
});

export type HttpErrorOptions = {
  /** Whether Not Found can mean that an INVALID record was purged. */
  readonly mayBePurged?: boolean | undefined;
  /** Whether it is the client's credentials that Unauthorized refuses: the same ones will not do later either. */
  readonly isUnauthorizedFinal?: boolean;
  /** For a Retry-After that is a date. */
  readonly now: Date;
};

/** What an error answer means (section 7). */
export function toHttpError(
  operation: string,
  answer: PlatformAnswer,
  { mayBePurged = false, isUnauthorizedFinal = false, now }: HttpErrorOptions,
): PlatformHttpError {
  const json = parseBody(answer);
  const { data: body } = errorBody.safeParse(json);
  const meaning = readMeaning(json === undefined ? textOf(answer) : json);
  return new PlatformHttpError(operation, {
    status: answer.status,
    condition: conditionOf(answer.status, meaning, mayBePurged),
    requestId: identifier(body?.requestId),
    errorCode: identifier(body?.errorCode ?? body?.error) ?? identifier(body?.code),
    errorDetails: (body?.errorDetails ?? []).slice(0, maxNamedFields).map(({ field, errors }) => ({
      field: identifier(field),
      errors: errors.slice(0, maxNamedFields).map(({ code }) => ({ code: identifier(code) })),
    })),
    platformText: body && textFor(body),
    retryAfter: readRetryAfter(answer.headers.get('retry-after'), now),
    isAboutCaller: answer.status === 401 || answer.status === 403 || meaning.isAboutCaller,
    isRetryable: isRetryable(answer.status) && !(isUnauthorizedFinal && answer.status === 401),
  });
}

/** In characters. The platform does not limit the text. */
const maxTextLength = 1_000;

function textFor({ detail: explained, message, description, title, ...body }: z.output<typeof errorBody>) {
  return (explained ?? message ?? description ?? body.error_description ?? title)?.slice(0, maxTextLength);
}

const byStatus: ReadonlyMap<number, PlatformCondition> = new Map([
  [400, 'BAD_REQUEST'],
  [403, 'FORBIDDEN'],
  [404, 'NOT_FOUND'],
  [409, 'CONFLICT'],
  [501, 'NOT_IMPLEMENTED'],
]);

function conditionOf(status: number, { names }: ErrorMeaning, mayBePurged: boolean): PlatformCondition | undefined {
  // Not Found and Conflict keep their meaning, with every type of error that their body names.
  const isNamed = status >= 400 && status <= 499 && status !== 404 && status !== 409;
  if (isNamed && names !== undefined) return names;
  if (status === 404 && mayBePurged) return 'PURGED';
  return byStatus.get(status);
}

const retryableClientErrors: ReadonlySet<number> = new Set([401, 408, 425, 429]);

/** Not Implemented stays so; any other failure of the server may pass. */
function isRetryable(status: number): boolean {
  return retryableClientErrors.has(status) || (status >= 500 && status !== 501);
}

/** Goes into messages and logs, so it must look like an identifier: anything else may be personal data. */
function identifier(value: string | null | undefined): string | undefined {
  return value !== null && value !== undefined && /^[\w.:[\]-]{1,100}$/.test(value) ? value : undefined;
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** In milliseconds. A longer time than a year is most likely a mistake, and a time that no date can hold stops who reckons with it. */
const maxRetryAfter = 31_536_000_000;

/** In milliseconds. Seconds, or a date (RFC 9110 section 10.2.3). */
function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Math.min(Number(header) * 1_000, maxRetryAfter);
  // Date.parse makes a date of nearly anything: `-5`, `soon 1`.
  const date = httpDate.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now.getTime()), maxRetryAfter);
}
