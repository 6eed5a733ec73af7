/** Writes every generated page again. */
export const pagesCommand = 'npx vitest run --project tests test/docs -u';

/** The first line of a generated page. */
export const generated = `<!-- Generated: ${pagesCommand} -->`;
