import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { writeCapacity } from './write-capacity.ts';

it('docs/capacity.md is what the settings and the quotas give: run npx vitest run test/infra/reference -u', async () => {
  await expect(writeCapacity()).toMatchFileSnapshot(join(repositoryRoot, 'docs/capacity.md'));
});
