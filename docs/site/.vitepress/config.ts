import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { slug } from 'github-slugger';
import { defineConfig } from 'vitepress';

const site = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(site, path), 'utf8');
const { version } = JSON.parse(read('../../package.json'));

/** The menu is the index of the documents: its headings, and the links of their lists. */
function sidebar() {
  const [, ...sections] = read('pages/docs/README.md').split(/^## /m);
  return sections.map((section) => ({
    text: section.slice(0, section.indexOf('\n')),
    collapsed: false,
    items: [...section.matchAll(/\[([^\]]+)\]\(([^)\s]+\.md)\)/g)].map(([, text = '', path = '']) => ({
      text,
      link: new URL(path, 'file:///docs/').pathname.replace(/(README)?\.md$/, ''),
    })),
  }));
}

/** A diagram takes the colours of the theme, and asks no server for a font. */
function diagram(text: string): string {
  const svg = renderMermaidSVG(text, {
    bg: 'var(--vp-c-bg)',
    fg: 'var(--vp-c-text-1)',
    accent: 'var(--vp-c-brand-1)',
    transparent: true,
  });
  const ownFonts = svg.replaceAll(/@import url\([^)]*\);?/g, '');
  return `<figure class="diagram" v-html="${JSON.stringify(ownFonts).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></figure>`;
}

/** Each release has its own folder, so that a host keeps the pages of earlier ones beside it. */
export default defineConfig({
  title: 'Drawbridge',
  description: "The partner's side of a B2B investment platform",
  base: `/${version}/`,
  srcDir: 'pages',
  outDir: `dist/${version}`,
  head: [['style', {}, '.diagram svg { max-width: 100%; height: auto; }']],
  rewrites: { ':path(.*)README.md': ':path(.*)index.md' },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'On call', link: '/docs/on-call' },
      { text: 'Changes', link: '/CHANGELOG' },
      { text: version, items: [{ text: 'Other versions', link: '/../', target: '_self' }] },
    ],
    sidebar: sidebar(),
  },
  markdown: {
    anchor: { slugify: (text) => slug(text) },
    config: (markdown) => {
      const fence = markdown.renderer.rules.fence;
      markdown.renderer.rules.fence = (tokens, index, options, environment, self) => {
        const token = tokens[index];
        if (token?.info.trim() === 'mermaid') return diagram(token.content);
        return fence?.(tokens, index, options, environment, self) ?? '';
      };
    },
  },
});
