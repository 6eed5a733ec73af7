import { readFileSync } from 'node:fs';
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
