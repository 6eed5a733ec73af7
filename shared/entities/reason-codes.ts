import * as z from 'zod/mini';
import { isObject, own } from '#shared/parse-json.ts';

/**
 * A code of the platform, as it is written. Narrower than a word that a timeline holds: it has no space and is short. A name in
 * capitals is written the same, so that where a text stands decides whether it is a code: see {@link readCodes}.
 */
export const platformCode = z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,63}$/));

/** Codes that are kept of one report, and of one status: the first in the order of texts, so that merging is a join. */
export const maxReasons = 8;

/** The fields of an error that hold a code, whatever it is about. */
export const codeNames: readonly string[] = ['errorType', 'errorCode', 'code'];

/** The fields of an error that hold further errors: a bare text in these may be a value of the person. */
export const errorNames: readonly string[] = ['errors', 'errorDetails', 'details'];

/** An order has its code here. Within an error it is a text. */
const textName = 'message';

const maxima = { values: 1_000, listed: 100, depth: 5 } as const;

/** What a value may be, besides an error or a list of errors: nothing, one code, or codes in lists. */
type Place = 'errors' | 'code' | 'codes';

type Placed = { readonly value: unknown; readonly place: Place };

/** A field that says why, by its name. */
export type ReasonField = { readonly name: string; readonly value: unknown };

/**
 * The codes that these fields are or hold, at most {@link maxReasons}, in the order of texts. Any text but those in the fields of
 * codes is left out, since it may name the person.
 *
 * @param codesIn the names of the fields that hold a code, or lists of codes, besides the usual ones
 */
export function readCodes(fields: readonly ReasonField[], codesIn: readonly string[]): readonly string[] {
  const within = codesIn.filter((name) => name !== textName);
  const names = [...new Set([...codeNames, ...errorNames, ...within])];
  const codes = new Set<string>();
  let level: readonly Placed[] = fields.map(({ name, value }) => ({ value, place: placeOfName(name, codesIn) }));
  for (let depth = 0, left: number = maxima.values; level.length > 0 && left > 0 && depth <= maxima.depth; depth += 1) {
    const read = level.slice(0, left);
    left -= read.length;
    for (const { value, place } of read)
      if (place !== 'errors' && typeof value === 'string' && platformCode.safeParse(value).success) codes.add(value);
    level = read.flatMap((one) => membersOf(one, names, within));
  }
  return firstReasons(codes);
}

export function firstReasons(codes: Iterable<string>): string[] {
  return [...new Set(codes)].toSorted().slice(0, maxReasons);
}

function placeOfName(name: string, codesIn: readonly string[]): Place {
  if (codesIn.includes(name)) return 'codes';
  return codeNames.includes(name) ? 'code' : 'errors';
}

function membersOf({ value, place }: Placed, names: readonly string[], codesIn: readonly string[]): readonly Placed[] {
  if (Array.isArray(value)) {
    const listed: readonly unknown[] = value.slice(0, maxima.listed);
    return listed.map((member) => ({ value: member, place: place === 'codes' ? place : 'errors' }));
  }
  if (!isObject(value)) return [];
  return names
    .map((name) => ({ value: own(value, name), place: placeOfName(name, codesIn) }))
    .filter((member) => member.value !== undefined);
}
