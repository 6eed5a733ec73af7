import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { readDeployment } from '#infra/cost/read-deployment.ts';
import { synthesizeTemplates } from '#infra/cost/synthesize-templates.ts';
import { everySetting } from '#infra/upgrades/every-setting.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { writeCost } from './write-cost.ts';

describe('docs/reference/cost.md', () => {
  const environment = synthesizeTemplates('example');

  it('is what the stacks, the counted requests and the prices give: run npx vitest run test/infra/reference -u', async () => {
    await expect(writeCost(environment)).toMatchFileSnapshot(join(repositoryRoot, 'docs/reference/cost.md'));
  });

  it('has a price for each type of resource, or says that the type is free', () => {
    expect(readDeployment(environment.templates).notPriced).toEqual({});
  });

  it('leaves only backups without a price when every setting is set', () => {
    const { app } = createTrialApp(everySetting);
    const templates = app.synth().stacks.map(({ template }): unknown => template);
    expect(Object.keys(readDeployment(templates).notPriced)).toEqual([
      'AWS::Backup::BackupPlan',
      'AWS::Backup::BackupSelection',
      'AWS::Backup::BackupVault',
    ]);
  });
});
