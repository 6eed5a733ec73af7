import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { nestedTables, settingRows, writeSettings } from './write-settings.ts';
import { writeSettingsSchema } from './write-settings-schema.ts';
import { writeSettingsType } from './write-settings-type.ts';

describe('docs/reference/settings.md', () => {
  it('is what the schemas say: run npx vitest run test/infra/reference -u', async () => {
    await expect(writeSettings()).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/settings.md'));
  });

  it('comes with the JSON Schema for editors, which is what the schemas say too', async () => {
    await expect(writeSettingsSchema()).toMatchFileSnapshot(join(repositoryRoot, 'settings/settings.schema.json'));
  });

  it('comes with the type of the props of the construct', async () => {
    await expect(writeSettingsType()).toMatchFileSnapshot(join(repositoryRoot, 'infra/drawbridge-settings.ts'));
  });

  const rows = [...settingRows(), ...nestedTables().flat()];
  it.each(rows.map((row) => [row.name, row.meaning]))('says what %s means, in a sentence', (_, meaning) => {
    expect(meaning).toMatch(/^[A-Z].+\.$/);
  });
});
