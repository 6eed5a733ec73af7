import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readPages, root } from './markdown-pages.ts';

/** `zsh` does not split a variable into words, and `bash` does. Both split the output of a command. */
const loopOverVariable = /^\s*for \w+ in \$\{?\w+\}?\s*[;\n]/gm;

it('no page loops over the words of a variable, which zsh does not split', () => {
  const loops = readPages().flatMap(({ path }) => {
    const found = readFileSync(join(root, path), 'utf8').match(loopOverVariable) ?? [];
    return found.map((loop) => `${path}: ${loop}`);
  });
  expect(loops).toEqual([]);
  expect('for table in $TABLES; do\n').toMatch(loopOverVariable);
});
