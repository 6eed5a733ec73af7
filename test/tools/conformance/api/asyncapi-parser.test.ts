import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { validateAsyncapi } from '#tools/conformance/api/asyncapi-parser.ts';

it.each([
  { severity: 0, name: 'error', isValid: false },
  { severity: 1, name: 'warning', isValid: false },
  { severity: 2, name: 'information', isValid: true },
  { severity: 3, name: 'hint', isValid: true },
])('prints a diagnostic of severity $name and returns isValid $isValid', async ({ severity, name, isValid }) => {
  const folder = mkdtempSync(join(inject('scratch'), 'asyncapi-'));
  const output = {
    version: '3.1.0',
    messages: 2,
    diagnostics: [{ code: 'some-rule', message: 'Something differs.', path: ['info', 'tags', 0], severity }],
  };
  writeFileSync(join(folder, 'validate.mjs'), `process.stdout.write(${JSON.stringify(JSON.stringify(output))});`);

  const report = await validateAsyncapi('asyncapi.json', { folder, root: folder, env: process.env });

  expect(report).toEqual({
    text: `asyncapi.json: AsyncAPI 3.1.0, 2 messages, 1 diagnostics\n${name} some-rule at /info/tags/0: Something differs.`,
    isValid,
  });
});
