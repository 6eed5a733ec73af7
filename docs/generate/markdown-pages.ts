import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

export const root = join(import.meta.dirname, '../..');

/** A Markdown page of the repository. */
export type Page = {
  /** From the root of the repository. */
  readonly path: string;
  /** What a link may name behind `#`. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly string[];
};

const parser = new MarkdownIt({ html: true });

/** Where the pages are that Git ignores: the package has them, and no committed page links to one. */
export const builtFolder = 'docs/built';

/** Every committed Markdown page and `llms.txt`, with the anchors of its headings as the hosts of repositories make them. */
export function readPages(): readonly Page[] {
  return globSync(['**/*.md', 'llms.txt'], {
    cwd: root,
    exclude: ['**/node_modules', '**/.*', '**/cdk.out', 'dist', 'docs/site/pages', builtFolder],
  }).map((path) => ({
    path,
    ...readPage(readFileSync(join(root, path), 'utf8')),
  }));
}

export function readPage(text: string): Omit<Page, 'path'> {
  const tokens = parser.parse(text, {});
  const slugger = new GithubSlugger();
  const headings = tokens.filter((_, index) => tokens[index - 1]?.type === 'heading_open');
  const textOf = (heading: (typeof tokens)[number]) => (heading.children ?? []).map(({ content }) => content).join('');
  const inline = tokens.flatMap(({ children }) => children ?? []);
  const targets = inline.map((token) => token.attrGet('href') ?? token.attrGet('src'));
  return {
    anchors: new Set(headings.map((heading) => slugger.slug(textOf(heading)))),
    links: targets.filter((target) => typeof target === 'string'),
  };
}
