import * as z from 'zod/mini';

declare const unknownWord: unique symbol;

/** A word that the platform has come to use since this was written. It is kept, and it is marked by its type. */
export type UnknownWord = string & UnknownWordMark;

/** An interface keeps its name in the declarations of types that are built from it: the symbol cannot be named there. */
export interface UnknownWordMark {
  readonly [unknownWord]?: never;
}

/** A field of what is received: it may be missing, or null. */
export function maybe<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.optional(z.nullable(schema));
}

/**
 * An enum of which more words may come: every received word is accepted, an editor completes the words that
 * are known, and {@link isKnownWord} tells them from the others.
 */
export function openEnum<const Word extends string>(words: readonly Word[]) {
  return z.union([z.enum(words), z.custom<UnknownWord>((word) => typeof word === 'string')]);
}

export function isKnownWord<const Word extends string>(words: readonly Word[], word: string): word is Word {
  return words.some((known) => known === word);
}
