import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { version } from '#shared/version.ts';
import { deployedStack } from '#test/infra/deployed-stack.ts';
import { hasRelease } from '#tools/release/release-templates.ts';

const root = join(import.meta.dirname, '../..');
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

describe('the version of the code', () => {
  it('is that of package.json', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(version);
  });

  it('has a date in the changelog once its templates are kept, and is unreleased before', () => {
    const [, date] = new RegExp(`^## ${RegExp.escape(version)} - (.*)$`, 'm').exec(changelog) ?? [];
    expect(date).toMatch(hasRelease(version) ? /^\d{4}-\d{2}-\d{2}$/ : /^unreleased$/);
  });

  it.each(['data', 'service'] as const)('is in the description of the %s stack', (name) => {
    expect(deployedStack(name)['Description']).toMatch(`Drawbridge ${version}: `);
  });

  it('is an output of the service stack', () => {
    expect(deployedStack('service').Outputs['Version']?.Value).toBe(version);
  });
});
