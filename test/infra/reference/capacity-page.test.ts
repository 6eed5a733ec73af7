import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { drawCapacity, exampleCapacity, writeCapacity } from './write-capacity.ts';

describe('docs/capacity.md', () => {
  const report = exampleCapacity();

  it('is what the settings, the quotas and the simulated bursts give: run npx vitest run test/infra/reference -u', async () => {
    await expect(writeCapacity(report)).toMatchFileSnapshot(join(repositoryRoot, 'docs/capacity.md'));
  });

  it('shows the charts of the simulated bursts', async () => {
    for (const [name, svg] of Object.entries(await drawCapacity(report)))
      await expect(svg).toMatchFileSnapshot(join(repositoryRoot, 'docs/images', name));
  });
});
