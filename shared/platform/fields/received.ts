import * as z from 'zod/mini';

declare const mark: unique symbol;

/**
 * A word that the platform has come to use since this was written: at run time any text. Its type is assignable to string and equal to
 * no literal, so that a comparison with a misspelt word does not compile. {@link unknownWord} makes one to compare with.
 */
export type UnknownWord = '(a word that this release does not know)' & UnknownWordMark;

/** An interface keeps its name in the declarations of types that are built from it: the symbol cannot be named there. */
export interface UnknownWordMark {
  readonly [mark]: true;
}

/** A word of an enum of which the specification shows examples only: it can be compared with any text. */
export type AnyWord = string & AnyWordMark;

export interface AnyWordMark {
  readonly [mark]?: never;
}

const anyUnknownWord = z.custom<UnknownWord>((word) => typeof word === 'string');

/** A word of your platform that this release does not know, to compare a received word with: `status === unknownWord('HALTED')`. */
export function unknownWord(word: string): UnknownWord {
  return z.parse(anyUnknownWord, word);
}

/** An object that is received, or sent with further fields: it keeps them at run time, and its type has only the fields of the shape. */
export function tolerantObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape);
}

/** A field that the type of a received object does not have, such as one that the platform has added; undefined if it is not there. */
export function unknownField(received: object, name: string): unknown {
  return Object.hasOwn(received, name) ? Reflect.get(received, name) : undefined;
}

/** A field of what is received: it may be missing, or null. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.optional(z.nullable(schema));
}

/**
 * An enum of which more words may come: every received word is accepted, an editor completes the words that
 * are known, and {@link isKnownWord} distinguishes them from the others.
 */
export function openEnum<const Word extends string>(words: readonly Word[]) {
  return z.union([z.enum(words), anyUnknownWord]);
}

/** An enum of which the specification shows examples only (section 2.6): every received word is accepted, and may be compared with. */
export function exampleEnum<const Word extends string>(words: readonly Word[]) {
  return z.union([z.enum(words), z.custom<AnyWord>((word) => typeof word === 'string')]);
}

export function isKnownWord<const Word extends string>(words: readonly Word[], word: string): word is Word {
  return words.some((known) => known === word);
}

/** One word of the platform: a text with spaces could be anything, a name included. */
export const word = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/));

/**
 * Fields of what is received. The platform may write a value otherwise than the specification shows: a number as a text, a text as a
 * number, a status as an object. What can be read is read.
 */

/** Absent if it is null, or cannot be read: no field that nothing needs fails an answer. */
export function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(maybe(schema), undefined);
}

/** A text; of a number or a truth value, how it is written. */
export const receivedText = z.union([z.string(), writtenAs(z.number()), writtenAs(z.boolean())]);

/** An id or a cursor. A whole number is its digits, all of them: {@link parseExactJson} keeps those of a number beyond 2^53. */
export const receivedId = z.union([z.string(), writtenAs(z.int().check(z.nonnegative()))]);

function writtenAs<Value extends number | boolean>(schema: z.ZodMiniType<Value>) {
  return z.pipe(
    schema,
    z.transform((value: Value) => String(value)),
  );
}

/** A number, or the text of one. */
export const receivedNumber = z.union([
  z.number(),
  z.pipe(
    z.string().check(z.regex(/^\s{0,9}-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?\s{0,9}$/)),
    z.pipe(z.transform(Number), z.number()),
  ),
]);

const truths: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** True or false, or the text of it in any case. */
export const receivedFlag = z.union([
  z.boolean(),
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? truths.get(value.trim().toLowerCase()) : undefined)),
    z.boolean(),
  ),
]);

/** The members that can be read. A member that cannot does not affect the others. */
export function receivedList<Schema extends z.ZodMiniType>(member: Schema) {
  return z.pipe(
    z.array(z.catch(z.nullable(member), null)),
    z.transform((members: (z.output<Schema> | null)[]) => members.flatMap((one) => (one === null ? [] : [one]))),
  );
}

/** A status: see {@link toWord}. Spaces may be underscores only in these words. */
export function receivedStatus<const Word extends string>(words: readonly Word[]) {
  return z.pipe(
    z.transform((value: unknown) => toWord(value, (word) => isKnownWord(words, word))),
    openEnum(words),
  );
}

/** Where an object names its word. What says more comes before a number or a label. */
const namesOfWords = ['code', 'value', 'name', 'status', 'key', 'type'];

/**
 * Reads a status as a word: the text, or a field of it if the status is an object. Space around the text is dropped. Space between
 * capitals becomes an underscore if that makes a known word: `IN REVIEW` is `IN_REVIEW`. Any other text stays, since it could be a name.
 *
 * @param isKnown whether a word is one of those that the value may be
 */
export function toWord(value: unknown, isKnown: (word: string) => boolean): unknown {
  if (typeof value === 'string') return joinKnown(value.trim(), isKnown);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const named = new Map<string, unknown>(Object.entries(value));
  return namesOfWords.map((name) => tidy(named.get(name), isKnown)).find((word) => word !== undefined) ?? value;
}

function joinKnown(text: string, isKnown: (word: string) => boolean): string {
  if (!/^[A-Z][A-Z0-9_\s]*$/.test(text)) return text;
  const joined = text.replaceAll(/\s+/g, '_');
  return isKnown(joined) ? joined : text;
}

function tidy(value: unknown, isKnown: (word: string) => boolean): string | undefined {
  const word = typeof value === 'string' ? toWord(value, isKnown) : undefined;
  return typeof word === 'string' && /^[A-Za-z]/.test(word) ? word : undefined;
}

/**
 * A resource whose id has the name `naturalPersonId` or just `id`. The first counts if both are there.
 *
 * @param name such as `naturalPersonId`
 */
export function withId<Schema extends z.ZodMiniType>(name: string, schema: Schema) {
  return z.pipe(
    z.transform((value: unknown) => renameId(name, value)),
    schema,
  );
}

function renameId(name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !('id' in value)) return value;
  const fields = new Map<string, unknown>(Object.entries(value));
  const own = fields.get(name);
  return own === undefined || own === null ? { ...value, [name]: value.id } : value;
}

/** The names of some fields that are there and cannot be read: {@link lenient} shows these as absent. */
export type Unreadable = { readonly unreadable?: readonly string[] | undefined };

/**
 * A resource, and `unreadable` if one of these fields is there and cannot be read.
 *
 * @param fields what each may be, absence included
 */
export function withUnreadable<Schema extends z.ZodMiniType>(
  fields: Readonly<Record<string, z.ZodMiniType>>,
  schema: Schema,
) {
  return z.pipe(
    z.transform((value: unknown) => nameUnreadable(fields, value)),
    z.intersection(schema, z.object({ unreadable: z.optional(z.array(z.string())) })),
  );
}

function nameUnreadable(fields: Readonly<Record<string, z.ZodMiniType>>, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { unreadable: _, ...resource }: Partial<Record<string, unknown>> = value;
  const names = Object.keys(fields).filter((name) => !fields[name]?.safeParse(resource[name]).success);
  return names.length === 0 ? resource : { ...resource, unreadable: names };
}
