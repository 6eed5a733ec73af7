import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Backup } from '#infra/account-settings.ts';

export type TableBackupsProps = {
  readonly backup: Backup;
  readonly environmentName: string;
  readonly key: IKey;
  readonly tables: readonly Table[];
};

const policyName = 'service-role/AWSBackupServiceRolePolicyForBackup';

/** Backs up tables daily. The vault and its backups stay when the stack is deleted, or when the setting is removed. */
export class TableBackups extends Construct {
  readonly vaultName: string;

  constructor(scope: Construct, id: string, { backup, environmentName, key, tables }: TableBackupsProps) {
    super(scope, id);
    const name = `drawbridge-${environmentName}`;
    this.vaultName = backup.vaultName ?? name;
    const vault = new BackupVault(this, 'Vault', {
      backupVaultName: this.vaultName,
      encryptionKey: key,
      removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    });
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: name, backupVault: vault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: String(backup.hour), minute: '0' }),
        deleteAfter: Duration.days(backup.retentionDays),
      }),
    );
    plan.addSelection('Tables', {
      resources: tables.map((table) => BackupResource.fromDynamoDbTable(table)),
      role: this.#createRole(),
      disableDefaultBackupPolicy: true,
    });
  }

  #createRole(): Role {
    // Without aws:SourceAccount: no documentation says that AWS Backup sends it when it assumes a role.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policyName)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      reason:
        'AWS maintains what its backup service needs. A list of ours that misses an action would leave no backup.',
    });
    return role;
  }
}
