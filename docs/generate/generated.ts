/** Writes every generated page again. */
export const pagesCommand = 'npm run docs';

/** The first line of a generated page. */
export const generated = `<!-- Generated: ${pagesCommand} -->`;
