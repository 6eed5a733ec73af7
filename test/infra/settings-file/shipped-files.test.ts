import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';

const schema = JSON.parse(readFileSync(join(settingsDirectory, 'settings.schema.json'), 'utf8'));
const validate = new Ajv2020({ allErrors: true, validateFormats: false }).compile(schema);

describe('a settings file of the repository', () => {
  it.each(['laptop', 'example'])('is valid as %s, by the settings and by the JSON Schema', (name) => {
    const content = readSettingsFile(settingsDirectory, name);
    expect(() => checkSettings(name, content)).not.toThrow();
    expect(validate(content), JSON.stringify(validate.errors)).toBe(true);
  });

  it('comes with a JSON Schema that refuses an unknown setting', () => {
    const content = { platform: { baseUrl: 'https://a.dev', authUrl: 'https://b.dev' } };
    expect(validate(content)).toBe(true);
    expect(validate({ ...content, platformProfile: { pagesize: 5 } })).toBe(false);
  });
});
