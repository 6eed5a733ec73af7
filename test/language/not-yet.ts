/** Paths whose language is not rewritten yet: each is removed with its last finding. */
export const notYet: readonly string[] = [];
