import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf } from '#cli/command/document-command.ts';
import { root } from '#test/docs/markdown-pages.ts';
import { leafCommands, programForTests } from './program-for-tests.ts';
import { writeCliPage } from './write-cli-page.ts';

it('each command has an example of itself, and says what --json prints', () => {
  for (const [name, command] of leafCommands(programForTests())) {
    const own = name.replace(/^drawbridge /, '');
    const examples = documentOf(command)?.examples ?? [];
    expect(examples.length, own).toBeGreaterThan(0);
    for (const example of examples) expect(example).toContain(`drawbridge ${own}`);
  }
});

it('docs/reference/cli.md has each command: run npx vitest run test/cli -u', async () => {
  await expect(writeCliPage(programForTests())).toMatchFileSnapshot(join(root, 'docs/reference/cli.md'));
});
