import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { createTrialApp } from '#test/infra/trial-app.ts';

const backedUp = () => Template.fromStack(createTrialApp({ backup: { retentionDays: 40 } }).data);

describe('the backups of the tables', () => {
  it('are none by default', () => {
    const template = Template.fromStack(createTrialApp().data);
    for (const type of ['BackupVault', 'BackupPlan', 'BackupSelection'])
      template.resourceCountIs(`AWS::Backup::${type}`, 0);
  });

  it('hold every table, daily, for as long as the setting says', () => {
    const template = backedUp();
    template.hasResourceProperties('AWS::Backup::BackupPlan', {
      BackupPlan: {
        BackupPlanRule: [
          {
            ScheduleExpression: 'cron(0 3 * * ? *)',
            Lifecycle: { DeleteAfterDays: 40 },
            TargetBackupVault: { 'Fn::GetAtt': [Match.stringLikeRegexp('Vault'), 'BackupVaultName'] },
          },
        ],
      },
    });
    const tables = Object.keys(template.findResources('AWS::DynamoDB::Table'));
    expect(tables).toHaveLength(5);
    for (const id of tables)
      template.hasResourceProperties('AWS::Backup::BackupSelection', {
        BackupSelection: { Resources: Match.arrayWith([{ 'Fn::GetAtt': [id, 'Arn'] }]) },
      });
  });

  it('are encrypted with the key, and stay when the stack is deleted or the setting is removed', () => {
    const template = backedUp();
    const [key] = Object.keys(template.findResources('AWS::KMS::Key'));
    template.hasResource('AWS::Backup::BackupVault', {
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { BackupVaultName: 'drawbridge-trial', EncryptionKeyArn: { 'Fn::GetAtt': [key, 'Arn'] } },
    });
  });

  it('are made by a role that only AWS Backup may assume', () => {
    backedUp().hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [{ Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'backup.amazonaws.com' } }],
      },
      ManagedPolicyArns: [
        { 'Fn::Join': ['', Match.arrayWith([':iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup'])] },
      ],
    });
  });
});
