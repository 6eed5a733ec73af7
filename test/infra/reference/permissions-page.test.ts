import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { readTestBlueprint } from '#test/end-to-end/permissions/record-uses.ts';
import { writePermissions } from './write-permissions.ts';

describe('docs/reference/permissions.md', () => {
  it('is what the policies of the stacks allow: run npx vitest run test/infra/reference -u', async () => {
    const page = writePermissions(readTestBlueprint(inject('assembly')));
    await expect(page).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/permissions.md'));
  });
});
