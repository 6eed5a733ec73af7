import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from '#docs/generate/markdown-pages.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';

const anchors = [...readPage(readFileSync(join(repositoryRoot, 'docs/reference/platform.md'), 'utf8')).anchors];

/** Links each "section 3.3" to its heading in docs/reference/platform.md. */
export function linkSections(text: string): string {
  return text.replaceAll(/\bsections? (\d)(?:\.(\d))?/g, (section, chapter: string, part = '') => {
    const anchor = anchors.find((name) => name.startsWith(`${chapter}${part}-`));
    if (anchor === undefined) throw new Error(`docs/reference/platform.md has no ${section}.`);
    return `[${section}](platform.md#${anchor})`;
  });
}
