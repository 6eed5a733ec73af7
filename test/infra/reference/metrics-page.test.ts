import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { writeMetrics } from './write-metrics.ts';

describe('docs/reference/metrics.md', () => {
  it('is what the functions write: run npx vitest run test/infra/reference -u', async () => {
    const page = writeMetrics(createTrialApp().service);
    await expect(page).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/metrics.md'));
  });
});
