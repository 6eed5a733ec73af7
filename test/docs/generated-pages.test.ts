import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pagesCommand } from '#docs/generate/generated.ts';
import { root } from '#docs/generate/markdown-pages.ts';
import { generatedPages } from '#docs/generate/pages.ts';
import { deployedResources } from '#test/infra/deployed-resources.ts';
import { trialApps } from '#test/infra/shared-trial-apps.ts';

const sources = {
  stacks: { data: deployedResources('data'), service: deployedResources('service') },
  trialApps,
};

it.each(Object.entries(generatedPages(sources)))(
  `writes %s as the code says: run ${pagesCommand}`,
  async (path, write) => {
    await expect(write()).toMatchFileSnapshot(join(root, path));
  },
);
