/** The first line of a generated page: the command that writes the page. */
export const generated = '<!-- Generated: npx vitest run test/infra/reference -u -->';
