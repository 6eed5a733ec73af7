import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Alarms, visibleMessages } from '#infra/parts/alarms.ts';
import { EventQueue } from '#infra/parts/event-queue.ts';
import { countMessages, purge, showMessages } from '#infra/parts/runbook-commands.ts';
import type { TableBackups } from '#infra/parts/table-backups.ts';

export type FailedBackupsProps = { readonly backups: TableBackups; readonly alarms: Alarms };

/** The states in which a backup job ends without a backup: https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html */
const failedStates = ['FAILED', 'ABORTED', 'EXPIRED'];

/** The vault takes no backup without a lifecycle: its lock has a longest retention. */
const startBackup = {
  does: 'Back up a table now. Replace VAULT, TABLE and ROLE by backupVaultName, resourceArn and iamRoleArn of the message, and DAYS by the setting backup.retentionDays',
  shell:
    'aws backup start-backup-job --backup-vault-name VAULT --resource-arn TABLE --iam-role-arn ROLE --lifecycle DeleteAfterDays=DAYS',
};

/** Takes the event of each backup, copy or restore test of a vault that failed. */
export class FailedBackups extends EventQueue {
  constructor(scope: Construct, id: string, { backups, alarms }: FailedBackupsProps) {
    super(scope, id, {
      description: 'Backup jobs of Drawbridge that ended without a backup',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change'],
        detail: { backupVaultName: [backups.vaultName], state: failedStates },
      },
      onLoss:
        'The target is such a queue. EventBridge retries for 24 hours, and AWS Backup reports the next failed job too.',
    });
    this.addRule('Copies', {
      description: 'Copies of backups of Drawbridge that failed',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Copy Job State Change'],
        detail: { sourceBackupVaultArn: [backups.vault.backupVaultArn], state: ['FAILED'] },
      },
    });
    if (backups.restoreTestsArn !== undefined)
      this.addRule('RestoreTests', {
        description: 'Restore tests of Drawbridge that failed',
        eventPattern: {
          source: ['aws.backup'],
          detailType: ['Restore Job State Change'],
          detail: { restoreTestingPlanArn: [backups.restoreTestsArn], status: ['FAILED', 'ABORTED'] },
        },
      });
    alarms.add({
      BackupsFailed: {
        metric: visibleMessages(this, Duration.minutes(5)),
        above: 0,
        setting: 'backup',
        hasEnd: true,
        part: 'tables',
        meaning:
          'AWS Backup made no backup of a table, made no copy of a backup, or could not restore one in a test. The message in the queue names the job and the error. Point-in-time recovery of the table is not affected.',
        remedy:
          'Read the message and fix the cause: most likely DynamoDB is not enabled in AWS Backup, a vault cannot use its key, or the vault of a copy does not allow the account. Start a backup of the table, and purge the queue.',
        commands: [countMessages(this), showMessages(this), startBackup, purge(this)],
      },
    });
  }
}
