import { describe, expect, it } from 'vitest';
import { readPricedResources } from '#cli/cost/priced-resources.ts';
import { templatesOf } from '#test/infra/shared-trial-apps.ts';
import { everySetting } from '#tools/release/every-setting.ts';

describe('the price list', () => {
  it('has a price for each type of resource, or says that the type is free', () => {
    expect(readPricedResources(templatesOf()).notPriced).toEqual({});
  });

  it('leaves only backups without a price when every setting is set', () => {
    expect(Object.keys(readPricedResources(templatesOf(everySetting)).notPriced)).toEqual([
      'AWS::Backup::BackupPlan',
      'AWS::Backup::BackupSelection',
      'AWS::Backup::BackupVault',
      'AWS::Backup::RestoreTestingPlan',
      'AWS::Backup::RestoreTestingSelection',
    ]);
  });
});
