import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

it('finds nothing in the synthesized stacks by the rules of the CDK, warnings included', () => {
  // The synthesis that all tests share applies these rules at full size only: they take most of its time.
  const report = JSON.parse(readFileSync(join(inject('assembly'), 'validation-report.json'), 'utf8'));
  expect(report).toMatchObject({ pluginReports: [] });
});
