import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';

const rule = z.object({ Properties: z.object({ EventPattern: z.unknown(), Targets: z.array(z.unknown()) }) });

const templateOf = (values: Readonly<Record<string, unknown>>) => Template.fromStack(createTrialApp(values).service);
const backedUp = (vaultName?: string) => templateOf({ backup: { retentionDays: 40, vaultName } });
const ofBackups = (template: Template) =>
  Object.values(template.findResources('AWS::Events::Rule'))
    .map((one) => rule.parse(one).Properties)
    .filter(({ EventPattern }) => JSON.stringify(EventPattern).includes('aws.backup'));

/** Whether the rule sends the event to the queue. */
const takes = (event: object, vaultName?: string) =>
  ofBackups(backedUp(vaultName)).some(({ EventPattern }) =>
    matchesPattern(readEventPattern(EventPattern, 'FailedBackups'), event),
  );

/** The event of a backup job as AWS documents it. */
const jobEvent = (state: string, backupVaultName = 'drawbridge-trial') => ({
  source: 'aws.backup',
  'detail-type': 'Backup Job State Change',
  detail: { state, backupVaultName, backupJobId: '34176239-e96d-4e4d-9fad-529d44f68cda', statusMessage: 'No access.' },
});

describe('the alarm on failed backups', () => {
  it('is there with the setting only', () => {
    const names = (template: Template) =>
      Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties.AlarmName);
    expect(names(backedUp())).toContain('drawbridge-trial-BackupsFailed');
    expect(names(templateOf({}))).not.toContain('drawbridge-trial-BackupsFailed');
    expect(ofBackups(templateOf({}))).toEqual([]);
  });

  it('goes off for a message in the queue that the rule sends to', () => {
    const template = backedUp();
    const [{ Targets } = { Targets: [] }] = ofBackups(template);
    const [id = ''] = Object.keys(template.findResources('AWS::SQS::Queue')).filter((one) =>
      one.startsWith('FailedBackups'),
    );
    expect(Targets).toEqual([expect.objectContaining({ Arn: { 'Fn::GetAtt': [id, 'Arn'] } })]);
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'drawbridge-trial-BackupsFailed',
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
    });
  });

  it.each(['FAILED', 'ABORTED', 'EXPIRED'])('takes a job of the vault that ended as %s', (state) => {
    expect(takes(jobEvent(state))).toBe(true);
    expect(takes(jobEvent(state, 'vault-of-another-system'))).toBe(false);
  });

  it.each(['RUNNING', 'COMPLETED'])('leaves a job alone that is %s', (state) => {
    expect(takes(jobEvent(state))).toBe(false);
  });

  it('takes the name of the vault from the setting', () => {
    expect(takes(jobEvent('FAILED', 'own-vault'), 'own-vault')).toBe(true);
  });
});
