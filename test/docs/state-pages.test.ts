import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pagesCommand } from '#docs/generate/generated.ts';
import { statePages } from '#docs/generate/states/state-pages.ts';

const root = join(import.meta.dirname, '../..');

it.each(Object.entries(statePages))(`writes %s as the tables say: run ${pagesCommand}`, async (path, write) => {
  await expect(write()).toMatchFileSnapshot(join(root, path));
});
