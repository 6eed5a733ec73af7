import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  BackupPlan,
  BackupPlanRule,
  BackupResource,
  BackupVault,
  CfnRestoreTestingPlan,
  CfnRestoreTestingSelection,
} from 'aws-cdk-lib/aws-backup';
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

/** Until then, a lock in compliance mode can be taken back. The least that AWS takes is three days. */
const lockCoolingOff = Duration.days(14);

/** How far back a restore test looks for the latest backup: backups are daily, and one may have failed. */
const testedDays = 7;

const kept = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

/**
 * Backs up tables daily. The vault, its backups and the role that deletes these at the end of their retention stay when the stack is
 * deleted, or when the setting is removed.
 */
export class TableBackups extends Construct {
  readonly vault: BackupVault;
  readonly vaultName: string;
  /** Of the plan of the restore tests; undefined without any. */
  readonly restoreTestsArn: string | undefined;

  constructor(scope: Construct, id: string, { backup, environmentName, key, tables }: TableBackupsProps) {
    super(scope, id);
    const name = `drawbridge-${environmentName}`;
    const retention = Duration.days(backup.retentionDays);
    this.vaultName = backup.vaultName ?? name;
    this.vault = new BackupVault(this, 'Vault', {
      backupVaultName: this.vaultName,
      encryptionKey: key,
      lockConfiguration: {
        minRetention: retention,
        // A cap too: an erased person is in no backup for longer. The CDK wants another number.
        maxRetention: Duration.days(backup.retentionDays + 1),
        ...(backup.lock === 'compliance' && { changeableFor: lockCoolingOff }),
      },
      removalPolicy: kept,
    });
    const plan = new BackupPlan(this, 'Plan', { backupPlanName: name, backupVault: this.vault });
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: String(backup.hour), minute: '0' }),
        deleteAfter: retention,
        copyActions: (backup.copies ?? []).map(({ vaultArn, retentionDays }, index) => ({
          destinationBackupVault: BackupVault.fromBackupVaultArn(this, `Copy${index}`, vaultArn),
          deleteAfter: Duration.days(retentionDays),
        })),
      }),
    );
    const role = this.#createRole('Role', 'AWSBackupServiceRolePolicyForBackup');
    // Without the role, AWS Backup can leave backups as EXPIRED in the vault: an erased person would stay in them.
    // https://docs.aws.amazon.com/aws-backup/latest/devguide/backup-iam.html
    role.applyRemovalPolicy(kept);
    plan.addSelection('Tables', {
      resources: tables.map((table) => BackupResource.fromDynamoDbTable(table)),
      role,
      disableDefaultBackupPolicy: true,
    });
    if (backup.restoreTests !== undefined)
      this.restoreTestsArn = this.#testRestores({ backup, environmentName, key, tables });
  }

  /** @returns the ARN of the plan */
  #testRestores({ backup, environmentName, key, tables }: TableBackupsProps): string {
    // The names take no hyphen.
    const name = `drawbridge_${environmentName.replaceAll('-', '_')}`;
    const afterBackups = String((backup.hour + 6) % 24);
    const plan = new CfnRestoreTestingPlan(this, 'RestoreTests', {
      restoreTestingPlanName: name,
      scheduleExpression:
        backup.restoreTests === 'weekly'
          ? Schedule.cron({ hour: afterBackups, minute: '0', weekDay: 'SUN' }).expressionString
          : Schedule.cron({ hour: afterBackups, minute: '0', day: '1' }).expressionString,
      recoveryPointSelection: {
        algorithm: 'LATEST_WITHIN_WINDOW',
        includeVaults: [this.vault.backupVaultArn],
        recoveryPointTypes: ['SNAPSHOT'],
        selectionWindowDays: testedDays,
      },
    });
    new CfnRestoreTestingSelection(this, 'RestoredTables', {
      restoreTestingPlanName: plan.ref,
      restoreTestingSelectionName: name,
      protectedResourceType: 'DynamoDB',
      protectedResourceArns: tables.map(({ tableArn }) => tableArn),
      iamRoleArn: this.#createRole('RestoreRole', 'AWSBackupServiceRolePolicyForRestores').roleArn,
      // The default is a key of AWS, which no policy of the partner protects.
      restoreMetadataOverrides: { encryptionType: 'KMS', kmsMasterKeyArn: key.keyArn },
      validationWindowHours: 1,
    });
    return plan.attrRestoreTestingPlanArn;
  }

  #createRole(id: string, policy: string): Role {
    const policyName = `service-role/${policy}`;
    // Without aws:SourceAccount: no documentation says that AWS Backup sends it when it assumes a role.
    const role = new Role(this, id, {
      assumedBy: new ServicePrincipal('backup.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(policyName)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policyName}]`,
      reason:
        'AWS maintains what its backup service needs. A list in this stack that misses an action would leave no backup.',
    });
    return role;
  }
}
