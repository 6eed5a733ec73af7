import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '#docs/generate/markdown-pages.ts';

/**
 * The forms that could fetch the package `drawbridge` of the npm registry, which is another project: a command that installs or
 * runs it, a dependency on it, an import from it. `npx --no` and a script of npm run only what is installed.
 */
const fetching = [
  /\b(?:npx|bunx|npm (?:exec|x)|(?:pnpm|yarn) dlx)(?! --no\b)(?: -\S+)*(?: --)? drawbridge(?![\w/])/,
  /\bnpm (?:i|in|install|add|create|init|update)\b(?:(?! && |[`'":;)]).)* drawbridge(?:@\S*)?(?![\w./-])/,
  /\b(?:pnpm|yarn|bun) add(?: -\S+)* drawbridge(?![\w./-])/,
  /"drawbridge": ?"(?:[\^~<>=]|\d|latest|npm:)/,
  /(?:from|import|require)[ (]*['"]drawbridge[/'"]/,
  /`drawbridge\/(?:cdk|client|events|platform|testing)`/,
  /\bpackage drawbridge\b(?! of)/,
];

/** A call such as `spawn('npx', ['drawbridge'])` reads as the command that it runs. */
const asTyped = (line: string) => line.replaceAll(/['"], \[?['"]/g, ' ');

const finds = (line: string) => fetching.some((form) => form.test(line) || form.test(asTyped(line)));

const paths = globSync('**/*.{md,txt,ts,tsx,js,mjs,cjs,json,yml,snap}', {
  cwd: root,
  exclude: [
    '**/node_modules',
    '**/cdk.out',
    '**/.sandbox',
    '**/dist',
    'release',
    'docs/built',
    'docs/site/pages',
    'tools/release/kept',
  ],
});

it('finds no document, hint, template or message that could fetch the package drawbridge of another project', () => {
  const found = paths
    .filter((path) => path !== 'test/docs/stranger.test.ts')
    .flatMap((path) => {
      // What earlier releases were called stays.
      const [text = ''] = readFileSync(join(root, path), 'utf8').split(/^## 0\.2\.0/m);
      return text.split('\n').flatMap((line) => (finds(line) ? [`${path}: ${line.trim()}`] : []));
    });
  expect(paths.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

it.each([
  'npx drawbridge status',
  "spawn('npx', ['drawbridge', 'start'])",
  'npm install drawbridge',
  '"drawbridge": "^0.2.0"',
  "require('drawbridge/events')",
])('finds a fetch of another project in %s', (line) => {
  expect(finds(line)).toBe(true);
});

it.each(['npx --no -- drawbridge status', 'npm install @drawbridge-partner/drawbridge', '"drawbridge": "drawbridge"'])(
  'finds none in %s',
  (line) => {
    expect(finds(line)).toBe(false);
  },
);
