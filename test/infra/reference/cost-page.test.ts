import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDeployment } from '#cli/cost/read-deployment.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { checkSettings } from '#infra/read-settings.ts';
import { settingsDirectory } from '#infra/settings-file/settings-directory.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { everySetting } from '#tools/release/every-setting.ts';
import { writeCost } from './write-cost.ts';

/** The templates of an environment with these settings. */
function templatesOf(values: Readonly<Record<string, unknown>>): readonly unknown[] {
  return createTrialApp(values)
    .app.synth()
    .stacks.map(({ template }): unknown => template);
}

describe('docs/reference/cost.md', () => {
  // The placeholders of the example may be in no stack. No cost depends on them.
  const example = checkSettings('example', readSettingsFile(settingsDirectory, 'example'));
  const settings = { ...example, onboarding: undefined, keepStandIns: true };

  it('is what the stacks, the counted requests and the prices give: run npx vitest run test/infra/reference -u', async () => {
    await expect(writeCost(templatesOf(settings), settings.eventRetentionDays)).toMatchFileSnapshot(
      join(repositoryRoot, 'docs/reference/cost.md'),
    );
  });

  it('has a price for each type of resource, or says that the type is free', () => {
    expect(readDeployment(templatesOf(settings)).notPriced).toEqual({});
  });

  it('leaves only backups without a price when every setting is set', () => {
    expect(Object.keys(readDeployment(templatesOf(everySetting)).notPriced)).toEqual([
      'AWS::Backup::BackupPlan',
      'AWS::Backup::BackupSelection',
      'AWS::Backup::BackupVault',
    ]);
  });
});
