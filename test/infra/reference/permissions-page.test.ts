import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { deployedResources } from '#test/infra/readable-stack.ts';
import { writePermissions } from './write-permissions.ts';

describe('docs/reference/permissions.md', () => {
  it('is what the policies of the stacks allow: run npx vitest run test/infra/reference -u', async () => {
    const page = writePermissions({ data: deployedResources('data'), service: deployedResources('service') });
    await expect(page).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/permissions.md'));
  });
});
