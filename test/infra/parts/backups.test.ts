import { describe, expect, it } from 'vitest';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { expectProperties } from '#test/infra/deployed-resources.ts';
import { trialResources } from '#test/infra/shared-trial-apps.ts';

const { data, service } = trialResources({ backup: { retentionDays: 40 } });

describe('the setting backup', () => {
  it('makes no backups, and no alarm on them, unless it is set', () => {
    const { data: tables, service: functions } = trialResources();
    const all = JSON.stringify([...tables, ...functions]);
    for (const word of ['AWS::Backup', 'BackupsFailed', 'aws.backup']) expect(all).not.toContain(word);
  });

  it.each([
    [
      'backs up every table, daily, for as long as it says',
      'Backups/Plan',
      {
        'BackupPlan.BackupPlanRule': [
          expect.objectContaining({
            ScheduleExpression: 'cron(0 3 * * ? *)',
            Lifecycle: { DeleteAfterDays: 40 },
            TargetBackupVault: '<Backups/Vault.BackupVaultName>',
          }),
        ],
      },
    ],
    [
      'selects every table',
      'Backups/Plan/Tables',
      {
        'BackupSelection.Resources': ['Events', 'Entities', 'Onboardings', 'Checkpoints', 'Persons'].map(
          (table) => `<${table}.Arn>`,
        ),
      },
    ],
    [
      'encrypts the backups with the key',
      'Backups/Vault',
      { BackupVaultName: 'drawbridge-trial', EncryptionKeyArn: '<Key.Arn>' },
    ],
    [
      'keeps each backup for as long as it says, and none for two days more, unless an administrator ends the lock',
      'Backups/Vault',
      { LockConfiguration: { MinRetentionDays: 40, MaxRetentionDays: 41 } },
    ],
    [
      'has a role make them that only AWS Backup may assume',
      'Backups/Role',
      {
        'AssumeRolePolicyDocument.Statement': [
          { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'backup.amazonaws.com' } },
        ],
        ManagedPolicyArns: ['arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup'],
      },
    ],
  ])('%s', (_, of, has) => {
    expectProperties(data, of, has);
  });

  it.each(['Backups/Vault', 'Backups/Role'])(
    'keeps %s, by which AWS deletes expired backups, when the stack is deleted or the setting removed',
    (name) => {
      const resource = data.find((one) => one.name === name);
      expect(resource).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
    },
  );

  it('makes the role again beside the one that stayed: its name is generated', () => {
    expectProperties(data, 'Backups/Role', { RoleName: undefined });
  });
});

describe('a setting of backup that is not set by default', () => {
  const vaultArn = 'arn:aws:backup:us-west-2:444455556666:backup-vault:far';
  const far = trialResources({
    backup: {
      retentionDays: 40,
      lock: 'compliance',
      isLockPermanent: true,
      copies: [{ vaultArn, retentionDays: 90 }],
      restoreTests: 'weekly',
    },
  });

  it.each([
    [
      'makes the lock permanent after 14 days',
      'Backups/Vault',
      { LockConfiguration: { MinRetentionDays: 40, MaxRetentionDays: 41, ChangeableForDays: 14 } },
    ],
    [
      'copies each backup to the vault in another region and account',
      'Backups/Plan',
      {
        'BackupPlan.BackupPlanRule': [
          expect.objectContaining({
            CopyActions: [{ DestinationBackupVaultArn: vaultArn, Lifecycle: { DeleteAfterDays: 90 } }],
          }),
        ],
      },
    ],
    [
      'restores the latest backup every Sunday, six hours after the backups',
      'Backups/RestoreTests',
      {
        ScheduleExpression: 'cron(0 9 ? * SUN *)',
        'RecoveryPointSelection.Algorithm': 'LATEST_WITHIN_WINDOW',
        'RecoveryPointSelection.IncludeVaults': ['<Backups/Vault.BackupVaultArn>'],
      },
    ],
    [
      'restores every table, encrypted with the key',
      'Backups/RestoredTables',
      {
        ProtectedResourceArns: ['Events', 'Entities', 'Onboardings', 'Checkpoints', 'Persons'].map(
          (table) => `<${table}.Arn>`,
        ),
        RestoreMetadataOverrides: { encryptionType: 'KMS', kmsMasterKeyArn: '<Key.Arn>' },
        IamRoleArn: '<Backups/RestoreRole.Arn>',
      },
    ],
  ])('%s', (_, of, has) => {
    expectProperties(far.data, of, has);
  });

  it.each([
    ['Copies', 'Copy Job State Change', { sourceBackupVaultArn: '<Backups/Vault.BackupVaultArn>' }, 'state'],
    [
      'RestoreTests',
      'Restore Job State Change',
      { restoreTestingPlanArn: '<Backups/RestoreTests.RestoreTestingPlanArn>' },
      'status',
    ],
  ])('has the alarm go off for a failed job of %s', (rule, detailType, detail, state) => {
    const [found] = far.service.filter(({ name }) => name === `FailedBackups/${rule}`);
    const takes = (ended: string) =>
      matchesPattern(readEventPattern(found?.Properties['EventPattern'], rule), {
        source: 'aws.backup',
        'detail-type': detailType,
        detail: { ...detail, [state]: ended },
      });
    expect(['COMPLETED', 'FAILED'].map(takes)).toEqual([false, true]);
  });
});

describe('the alarm on failed backups', () => {
  /** Whether the rule takes the end of a backup job, as AWS documents its event. */
  function takes(state: string, backupVaultName = 'drawbridge-trial', of = service): boolean {
    const [rule] = of.filter(({ name }) => name === 'FailedBackups/Rule');
    return matchesPattern(readEventPattern(rule?.Properties['EventPattern'], 'FailedBackups'), {
      source: 'aws.backup',
      'detail-type': 'Backup Job State Change',
      detail: {
        state,
        backupVaultName,
        backupJobId: '34176239-e96d-4e4d-9fad-529d44f68cda',
        statusMessage: 'No access.',
      },
    });
  }

  it('goes off for a message in the queue that the rule sends to', () => {
    expectProperties(service, 'FailedBackups/Rule', {
      Targets: [expect.objectContaining({ Arn: '<FailedBackups.Arn>' })],
    });
    expectProperties(service, 'Alarms/BackupsFailed', {
      Dimensions: [{ Name: 'QueueName', Value: '<FailedBackups.QueueName>' }],
    });
  });

  it('takes a job of the vault that ended as FAILED, ABORTED or EXPIRED, and no other', () => {
    const states = ['FAILED', 'ABORTED', 'EXPIRED', 'RUNNING', 'COMPLETED'];
    expect(states.filter((state) => takes(state))).toEqual(['FAILED', 'ABORTED', 'EXPIRED']);
    expect(states.filter((state) => takes(state, 'vault-of-another-system'))).toEqual([]);
  });

  it('takes the name of the vault from the setting', () => {
    const { service: named } = trialResources({ backup: { retentionDays: 40, vaultName: 'own-vault' } });
    expect(takes('FAILED', 'own-vault', named)).toBe(true);
  });
});
