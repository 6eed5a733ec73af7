import { Duration, Validations } from 'aws-cdk-lib';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { Construct } from 'constructs';
import { acknowledgeForCheckov } from '#infra/parts/acknowledge.ts';
import { type Alarms, visibleMessages } from '#infra/parts/alarms.ts';
import { DeadLetterQueue } from '#infra/parts/dead-letter-queue.ts';
import { countMessages, purge, showMessages } from '#infra/parts/runbook-commands.ts';

export type FailedBackupsProps = { readonly vaultName: string; readonly alarms: Alarms };

/** The states in which a backup job ends without a backup: https://docs.aws.amazon.com/aws-backup/latest/devguide/eventbridge.html */
const failedStates = ['FAILED', 'ABORTED', 'EXPIRED'];

const startBackup = {
  does: 'Back up a table now. Replace VAULT, TABLE and ROLE by backupVaultName, resourceArn and iamRoleArn of the message',
  shell: 'aws backup start-backup-job --backup-vault-name VAULT --resource-arn TABLE --iam-role-arn ROLE',
};

/** Takes the event of each backup job of a vault that ended without a backup, until an operator has seen it. */
export class FailedBackups extends DeadLetterQueue {
  constructor(scope: Construct, id: string, { vaultName, alarms }: FailedBackupsProps) {
    // The key of SQS: the events hold the ARN of a table and the error of AWS Backup, and nothing of a row.
    super(scope, id, { isRedriveTarget: false });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'No function receives from it: its messages wait for an operator, whom an alarm calls.',
    });
    acknowledgeForCheckov(
      this,
      'CKV_AWS_27',
      'SQS encrypts it with a key of its own: its events hold the ARN of a table and an error, and nothing of a row.',
    );
    const rule = new Rule(this, 'Rule', {
      description: 'Backup jobs of Drawbridge that ended without a backup',
      eventPattern: {
        source: ['aws.backup'],
        detailType: ['Backup Job State Change'],
        detail: { backupVaultName: [vaultName], state: failedStates },
      },
      targets: [new SqsQueue(this)],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason:
        'The target is such a queue. EventBridge retries for 24 hours, and AWS Backup reports the next failed job too.',
    });
    alarms.add({
      BackupsFailed: {
        metric: visibleMessages(this, Duration.minutes(5)),
        above: 0,
        setting: 'backup',
        hasEnd: true,
        meaning:
          'AWS Backup made no backup of a table. The message in the queue names the table and the error. Point-in-time recovery of the table is not affected.',
        remedy:
          'Read the message and fix the cause: most likely DynamoDB is not enabled in AWS Backup, or the vault cannot use the key. Start a backup of the table, and purge the queue.',
        commands: [countMessages(this), showMessages(this), startBackup, purge(this)],
      },
    });
  }
}
