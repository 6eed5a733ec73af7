import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { repositoryRoot } from './read-json.ts';

/** Pages for those who change Drawbridge. */
const contributorPages = [
  'docs/decisions/**',
  'docs/tutorial/**',
  'docs/how-to/prove-it-in-an-account.md',
  'docs/how-to/run-scenarios.md',
  'docs/explanation/simulation.md',
  'docs/reference/commands.md',
  'docs/built/spec-coverage.md',
];

/** Documents whose place in the package is not that in the repository. */
const moved: Readonly<Record<string, string>> = {
  'package/README.md': 'README.md',
  'settings/settings.schema.json': 'settings.schema.json',
  'docs/reference/openapi.json': 'openapi.json',
  'docs/reference/asyncapi.json': 'asyncapi.json',
};

const placeOf = (path: string) => moved[path] ?? path;

/**
 * Writes the documents for users into the package. A link to what the package does not have becomes its text.
 *
 * @param builtPages the folder of the pages and schemas that only the package has
 * @param elsewhere paths in the repository that links may lead to although this function does not copy them
 */
export function writeDocuments(directory: string, builtPages: string, elsewhere: readonly string[] = []): void {
  const built = globSync('**/*.{md,json}', { cwd: builtPages }).map((name) => `docs/built/${name}`);
  const documents = globSync(
    [
      'docs/**/*.{md,json}',
      'examples/{bank,clients}/**/*.*',
      'sandbox/platform/README.md',
      'CHANGELOG.md',
      'LICENSE',
      'SECURITY.md',
      ...Object.keys(moved),
    ],
    { cwd: repositoryRoot, exclude: [...contributorPages, 'docs/built/**', 'docs/site/**'] },
  );
  const copied = [...documents, ...built.filter((path) => !contributorPages.includes(path))];
  const paths = new Set([...copied, ...elsewhere]);
  for (const path of copied) {
    const from = built.includes(path) ? join(builtPages, path.replace('docs/built/', '')) : join(repositoryRoot, path);
    const to = join(directory, placeOf(path));
    mkdirSync(dirname(to), { recursive: true });
    if (path.endsWith('.md')) writeFileSync(to, pageOf(readFileSync(from, 'utf8'), path, paths));
    else copyFileSync(from, to);
  }
}

/** A picture in a line of its own, or a link in brackets. Without its target in the package, it is removed as a whole. */
const aside = /(?:^!\[[^\][]*\]| \(\[[^\][]*\])\(([^()\s]+)\)(?:\n\n|\))/gm;

const links = /(!?)\[([^\][]*(?:\[[^\][]*\][^\][]*)*)\]\(([^()\s]+)\)/g;

/**
 * The page of the package. `<!-- repository -->` to `<!-- /repository -->` is not in it, and the text of a comment
 * `<!-- package … -->` is. A picture is left out with its file, and a row or an item of the index
 * of docs with its page.
 */
export function pageOf(text: string, path: string, paths: ReadonlySet<string>): string {
  const targetOf = (link: string) => normalize(join(dirname(path), link.split('#')[0] ?? ''));
  const isInside = (link: string) => /^(?:[a-z]+:|#)/.test(link) || paths.has(targetOf(link));
  const hasAll = (line: string) => [...line.matchAll(links)].every(([, , , link = '']) => isInside(link));
  return text
    .replaceAll(/<!-- repository -->\n[\s\S]*?<!-- \/repository -->\n/g, '')
    .replaceAll(/<!-- package\n([\s\S]*?)-->\n/g, '$1')
    .split('\n')
    .filter((line) => path !== 'docs/README.md' || !/^[|-]/.test(line) || hasAll(line))
    .join('\n')
    .replaceAll(aside, (whole, link: string) => (isInside(link) ? whole : ''))
    .replaceAll(links, (whole, image: string, label: string, link: string) => {
      if (!isInside(link)) return label;
      if (/^(?:[a-z]+:|#)/.test(link)) return whole;
      const [, anchor] = link.split('#');
      const to = relative(dirname(placeOf(path)), placeOf(targetOf(link)));
      return `${image}[${label}](${to}${anchor === undefined ? '' : `#${anchor}`})`;
    });
}
