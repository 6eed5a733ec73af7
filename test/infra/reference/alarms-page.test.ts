import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { readPage } from '#test/docs/markdown-pages.ts';
import { deployedStack, pathOf, resourcesOf } from '#test/infra/deployed-stack.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { writeAlarms } from './write-alarms.ts';

const template = z.object({ Resources: z.record(z.string(), z.unknown()) });

const queueName = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('QueueName')]) });

/** The logical id of the queue that a dimension names. */
const queueOf = (value: unknown) => queueName.parse(value)['Fn::GetAtt'][0];

describe('docs/reference/alarms.md', () => {
  /** With the alarms that need a setting. */
  const withSettings = () => createTrialApp({ backup: { retentionDays: 40 } });
  const writePage = () => writeAlarms(withSettings().service);
  const deployed = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
    .flatMap((type) => resourcesOf(deployedStack('service'), type))
    .filter(({ Properties }) => Properties.AlarmActions !== undefined);

  it('is what the constructs declare: run npx vitest run test/infra/reference -u', async () => {
    await expect(writePage()).toMatchFileSnapshot(join(repositoryRoot, alarmsPage));
  });

  it('has a section for each deployed alarm, under the anchor that the notification names', () => {
    const { anchors } = readPage(writePage());
    expect(deployed.length).toBeGreaterThan(0);
    for (const alarm of deployed) {
      const [, anchor = ''] = String(alarm.Properties.AlarmDescription).split(`Runbook: ${alarmsPage}#`);
      expect(anchor).toBe(String(pathOf(alarm).at(-2)).toLowerCase());
      expect(anchors).toContain(anchor);
    }
  });

  it('quotes messages that the functions log', () => {
    const quoted = [...writePage().matchAll(/\$\.message = "([^"]+)"/g)].map(([, message = '']) => message);
    const sources = globSync('functions/**/*.ts', { cwd: repositoryRoot });
    const code = sources.map((path) => readFileSync(join(repositoryRoot, path), 'utf8')).join('\n');
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
  });

  it('has commands for each alarm on a queue that count its messages and leave them in the queue', () => {
    const { service } = withSettings();
    const onQueues = [...service.alarms.declared.values()]
      .map(({ metric, commands }) => ({ metric: metric.toMetricConfig().metricStat, commands }))
      .filter(({ metric }) => metric?.namespace === 'AWS/SQS');
    expect(onQueues.length).toBeGreaterThan(5);
    for (const { metric, commands } of onQueues) {
      const queue = queueOf(service.resolve(metric?.dimensions?.[0]?.value));
      const calling = (call: string) => commands.filter(({ shell }) => shell.startsWith(`aws sqs ${call} `));
      expect(calling('get-queue-attributes').map(({ shell }) => shell)).toEqual([
        expect.stringContaining(`"$(resource ${queue}`),
      ]);
      if (metric?.metricName !== 'ApproximateNumberOfMessagesVisible') continue;
      const [read] = calling('receive-message');
      expect(read?.shell).toContain(`"$(resource ${queue}`);
      expect(read?.shell).toContain('--visibility-timeout 0');
      const [end] = [...calling('start-message-move-task'), ...calling('purge-queue')];
      expect(end?.shell).toMatch(new RegExp(`\\((?:resource|queue_arn) ${queue}\\b`));
    }
  });

  it('is what the how-to page takes its test alarm from', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/how-to/deploy.md'), 'utf8');
    const [, name = ''] = /set-alarm-state --alarm-name drawbridge-production-(\w+)/.exec(page) ?? [];
    expect(deployed.map((alarm) => pathOf(alarm).at(-2))).toContain(name);
  });

  it('shows no body of a webhook, which holds personal data', () => {
    const [, webhooksDlq = ''] = writePage().split('## WebhooksDlq\n');
    const [read = ''] = /^aws sqs receive-message(?:.*\\\n)*.*$/m.exec(webhooksDlq) ?? [];
    expect(read).toContain('--query "Messages[].{messageId: MessageId,');
    expect(read).not.toContain('Body');
  });

  it('names resources of the commands that the deployed stack has', () => {
    const { service, data: dataStack } = withSettings();
    const [ofService, ofData] = [service, dataStack].map((stack) => template.parse(Template.fromStack(stack).toJSON()));
    const resourcesIn = { service: ofService?.Resources, data: ofData?.Resources };
    const named = [...writePage().matchAll(/\$\((?:resource|queue_arn) (\w+)( data)?\)/g)];
    expect(named.filter(([, , data]) => data !== undefined)).not.toEqual([]);
    for (const [text, id = '', data] of named)
      expect(resourcesIn[data === undefined ? 'service' : 'data'], text).toHaveProperty(id);
    const outputs = [...writePage().matchAll(/\$\(output (\w+)\)/g)].map(([, name = '']) => name);
    expect(outputs).toContain('ApiUrl');
    for (const name of outputs) expect(deployedStack('service').Outputs).toHaveProperty(name);
  });
});
