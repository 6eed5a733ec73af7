import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { nestedTables, settingRows, writeSettings } from './write-settings.ts';

describe('docs/reference/settings.md', () => {
  it('is what the schemas say: run npx vitest run test/infra/reference -u', async () => {
    await expect(writeSettings()).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/settings.md'));
  });

  const rows = [...settingRows(), ...nestedTables().flat()];
  it.each(rows.map((row) => [row.name, row.meaning]))('says what %s means, in a sentence', (_, meaning) => {
    expect(meaning).toMatch(/^[A-Z].+\.$/);
  });
});
