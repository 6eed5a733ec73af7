import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { root } from './markdown-pages.ts';

it('docs/reference/commands.md has a row for each script of package.json, and for no other', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const page = readFileSync(join(root, 'docs/reference/commands.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `npm (?:run )?([\w:-]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(Object.keys(scripts).toSorted());
});

it('names the environment in each CDK command of a how-to page: without the environment the app does not synthesize', () => {
  const commands = globSync('docs/how-to/*.md', { cwd: root }).flatMap((page) =>
    (
      readFileSync(join(root, page), 'utf8')
        .replaceAll('\\\n', '')
        .match(/(npx cdk|npm run synth)\b[^`\n]*/g) ?? []
    ).map((command) => `${page}: ${command}`),
  );
  expect(commands.length).toBeGreaterThan(10);
  // `cdk context` synthesizes nothing.
  const synthesizing = commands.filter((command) => !command.includes('npx cdk context'));
  expect(synthesizing.filter((command) => !command.includes('--context environment='))).toEqual([]);
});
