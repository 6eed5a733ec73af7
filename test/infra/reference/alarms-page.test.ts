import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { deadLetterQueues } from '#cli/dlq/dead-letter-queues.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { readPage } from '#test/docs/markdown-pages.ts';
import { deployedStack, pathOf, resourcesOf } from '#test/infra/deployed-stack.ts';
import { createTrialAppOf } from '#test/infra/trial-app.ts';
import { writeAlarms } from './write-alarms.ts';

const template = z.object({ Resources: z.record(z.string(), z.unknown()) });

const queueName = z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('QueueName')]) });

/** The logical id of the queue that a dimension names. */
const queueOf = (value: unknown) => queueName.parse(value)['Fn::GetAtt'][0];

describe('docs/reference/alarms.md', () => {
  /** With the alarms that need a setting. Not shared: a synthesis replaces references between stacks by imports, which have no name. */
  const withSettings = () => createTrialAppOf('trial', { backup: { retentionDays: 40 } });
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
    const onQueues = [...service.alarms.declared].flatMap(([alarm, { metric, commands }]) => {
      const { metricStat } = metric.toMetricConfig();
      return metricStat?.namespace === 'AWS/SQS'
        ? [{ alarm, metricStat, shells: commands.map(({ shell }) => shell) }]
        : [];
    });
    expect(onQueues.length).toBeGreaterThan(5);
    const known: readonly string[] = deadLetterQueues;
    for (const { alarm, metricStat, shells } of onQueues) {
      if (metricStat.metricName !== 'ApproximateNumberOfMessagesVisible')
        expect(shells, alarm).toContain('npx drawbridge status --env production');
      else if (known.includes(alarm)) {
        const ends = ['redrive', 'purge'].map((end) => `npx drawbridge dlq ${end} ${alarm} --env production`);
        expect(shells.slice(0, 2)).toEqual([
          'npx drawbridge dlq ls --env production',
          `npx drawbridge dlq show ${alarm} --env production`,
        ]);
        expect(ends).toContain(shells.at(-1));
      } else {
        const queue = queueOf(service.resolve(metricStat.dimensions?.[0]?.value));
        expect(shells[0]).toContain(`aws sqs get-queue-attributes --queue-url "$(resource ${queue})"`);
        expect(shells[1]).toContain('--visibility-timeout 0');
        expect(shells.at(-1)).toBe(`aws sqs purge-queue --queue-url "$(resource ${queue})"`);
      }
    }
  });

  it('is what the how-to page takes its test alarm from', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/how-to/deploy.md'), 'utf8');
    const [, name = ''] = /set-alarm-state --alarm-name drawbridge-production-(\w+)/.exec(page) ?? [];
    expect(deployed.map((alarm) => pathOf(alarm).at(-2))).toContain(name);
  });

  it('shows no body of a webhook, which holds personal data', () => {
    expect(writePage()).not.toContain('--reveal');
    expect(writePage()).not.toMatch(/receive-message --queue-url "\$\(resource Webhooks/);
  });

  it('names resources of the commands that the deployed stack has', () => {
    const { service } = withSettings();
    const { Resources } = template.parse(Template.fromStack(service).toJSON());
    const named = [...writePage().matchAll(/\$\(resource (\w+)\)/g)];
    expect(named).not.toEqual([]);
    for (const [text, id = ''] of named) expect(Resources, text).toHaveProperty(id);
    const outputs = [...writePage().matchAll(/\$\(output (\w+)\)/g)].map(([, name = '']) => name);
    expect(outputs).not.toEqual([]);
    for (const name of outputs) expect(deployedStack('service').Outputs).toHaveProperty(name);
  });
});
