import * as z from 'zod/mini';

/** One word of the platform: a text with spaces could be anything, a name included. */
export const word = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/));
