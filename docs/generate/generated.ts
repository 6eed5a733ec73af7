/** Writes every generated page again. */
export const pagesCommand = 'npm run docs';

/** The first line of a generated page. */
export const generated = `<!-- Generated: ${pagesCommand} -->`;

/** A written page whose generated part, between `<!-- name -->` and `<!-- /name -->`, is this text. */
export function replaceGenerated(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [before = '', part = ''] = page.split(begin);
  const after = part.split(end)[1];
  if (after === undefined) throw new Error(`Write the lines ${begin.trim()} and ${end} into the page first.`);
  return `${before.replace(/<!-- Generated: .*? -->/, generated)}${begin}${text}\n${end}${after}`;
}
