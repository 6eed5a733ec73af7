import * as z from 'zod/mini';
import { isObject, own } from './object-fields.ts';

/**
 * A code of the platform. Narrower than a word that a timeline holds: a code in capitals is no name and no address of a
 * person, and is short.
 */
export const platformCode = z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,63}$/));

/** Codes that are kept of one report, and of one status: the first in the order of texts, so that merging is a join. */
export const maxReasons = 8;

/** The fields of an error that hold a code, or further errors. Texts, such as a description, are left out: they may name the person. */
const codeNames = ['errorType', 'errorCode', 'code', 'rejectReason', 'reason', 'errors', 'errorDetails', 'details'];

/** An order has its code here. Within an error it is a text. */
const textName = 'message';

const maxima = { values: 1_000, listed: 100, depth: 5 } as const;

/**
 * The codes that these values are or hold, at most {@link maxReasons}, in the order of texts.
 *
 * @param names of the fields that hold codes, besides the usual ones
 */
export function readCodes(values: readonly unknown[], names: readonly string[]): readonly string[] {
  const members = [...new Set([...codeNames, ...names.filter((name) => name !== textName)])];
  const codes = new Set<string>();
  let level = values;
  for (let depth = 0, left: number = maxima.values; level.length > 0 && left > 0 && depth <= maxima.depth; depth += 1) {
    const read = level.slice(0, left);
    left -= read.length;
    for (const value of read) if (platformCode.safeParse(value).success) codes.add(String(value));
    level = read.flatMap((value) => membersOf(value, members));
  }
  return firstReasons(codes);
}

export function firstReasons(codes: Iterable<string>): string[] {
  return [...new Set(codes)].toSorted().slice(0, maxReasons);
}

function membersOf(value: unknown, names: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxima.listed);
  return isObject(value) ? names.map((name) => own(value, name)).filter((member) => member !== undefined) : [];
}
